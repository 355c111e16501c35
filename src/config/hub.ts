import type { HubAccess } from '../embeddings/engines/settings.ts';
import { ConfigError } from '../lib/settings/settings.ts';

const defaultEndpoint = 'https://huggingface.co';

/** Reads `HF_ENDPOINT` and `HF_TOKEN`. Throws a ConfigError when either can't be used. */
export function readHubSettings(environment: Readonly<Record<string, string | undefined>>): HubAccess {
  const value = environment.HF_ENDPOINT?.trim() || defaultEndpoint;
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      `HF_ENDPOINT: "${value}" is not an http address; for example HF_ENDPOINT=${defaultEndpoint}`,
    );
  }
  return { endpoint: value.replace(/\/+$/, ''), token: token(environment.HF_TOKEN) };
}

/** Returns the token. It is a secret, so no error repeats it; fetch would repeat one that no header can hold. */
function token(value: string | undefined): string | null {
  const text = value?.trim() || null;
  if (text === null || /^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigError(
    'HF_TOKEN: has characters that are not allowed in a header; for example HF_TOKEN=hf_…',
  );
}
