import { ConfigError, type EnvironmentReader } from '../lib/settings/settings.ts';

const example = 'https://app.example.com,https://admin.example.com';

/**
 * Reads the origins whose web pages may call the API with a key. `*` means all, an empty list none. Throws a
 * ConfigError.
 */
export function readCorsOrigins(read: EnvironmentReader): readonly string[] {
  const origins = (read.text('CORS_ORIGINS') ?? '').split(',').map((origin) => origin.trim());
  return origins.filter(Boolean).map((origin) => {
    if (origin === '*' || isOrigin(origin)) return origin;
    throw new ConfigError(
      `CORS_ORIGINS: "${origin}" is not an origin such as https://app.example.com, or *; for example CORS_ORIGINS=${example}`,
    );
  });
}

/** Reports whether browsers send exactly this text as an origin: no path, no default port, lower case. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.origin === text;
}
