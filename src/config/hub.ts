import type { HubAccess } from '../embeddings/engines/settings.ts';
import { ConfigError } from './config-error.ts';

const defaultEndpoint = 'https://huggingface.co';

/** Reads `HF_ENDPOINT` and `HF_TOKEN`. Throws a ConfigError when the first is not an address. */
export function readHubSettings(environment: Readonly<Record<string, string | undefined>>): HubAccess {
  const value = environment.HF_ENDPOINT?.trim() || defaultEndpoint;
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      `HF_ENDPOINT: "${value}" is not an http address; for example HF_ENDPOINT=${defaultEndpoint}`,
    );
  }
  return { endpoint: value.replace(/\/+$/, ''), token: environment.HF_TOKEN?.trim() || null };
}
