import { resolve } from 'node:path';
import type { HubAccess, ModelSettings } from '../engines/settings.ts';
import { type ErrorFormat, errorFormats } from '../errors.ts';
import { ConfigError, type WholeBounds } from '../lib/settings.ts';
import type { Tiers } from '../quota/tiers.ts';
import { type Bounds, readBounds } from './bounds.ts';
import { type DashboardSettings, readCorsOrigins, readDashboardSettings } from './dashboard.ts';
import { misspelled } from './misspelled.ts';
import { readHubSettings, readModelSettings } from './models.ts';
import { type Environment, withSecretFiles } from './secrets.ts';
import { readSettingsFile } from './settings-file.ts';
import { readTiers } from './tiers.ts';

export { ConfigError };

/** All settings of the service, read once from the environment and the settings file. */
export interface Config extends DashboardSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The database that replicas share; null: SQLite in `dataDir`. */
  readonly postgres: PostgresConfig | null;
  /** One or more models to serve, the default first. */
  readonly models: readonly ModelSettings[];
  readonly tiers: Tiers;
  /** The origins whose web pages may call the API with a key; `*` means all. */
  readonly corsOrigins: readonly string[];
  readonly hub: HubAccess;
  /** Ed25519 private keys in PKCS#8 PEM, or the path of a file with them; null: a file in `dataDir`. */
  readonly signingKey: string | null;
  /** The secret that the keys of the cache and of sessions are derived from; null: a file in `dataDir`. */
  readonly authSecret: string | null;
  readonly publicUrl: string | null;
  readonly bounds: Bounds;
  /** How long requests are still accepted after SIGTERM, while `/ready` reports that the service is not ready. */
  readonly drainMs: number;
  readonly logLevel: LogLevel;
  readonly bootstrap: boolean;
  /** The shape of errors for requests that ask for none; null: OpenAI's for its SDKs, and `flat` for all others. */
  readonly errorFormat: ErrorFormat | null;
  /** The bearer token that `/metrics` requires; null: none. */
  readonly metricsToken: string | null;
  /** Counts API keys that are valid or were created in the last 24 hours. */
  readonly maxKeysPerOrganization: number;
  readonly cacheMemoryBytes: number;
  readonly cacheStoreBytes: number;
  readonly cacheMaxAgeMs: number;
  /** The variables that are not settings but nearly have the name of one, with that name. */
  readonly misspelled: ReturnType<typeof misspelled>;
}

export interface PostgresConfig {
  readonly url: string;
  /** The address to listen for changes at when `url` leads to a pooler in transaction mode; null: `url`. */
  readonly listenUrl: string | null;
  /** Maximum number of connections, not including the one that listens. */
  readonly poolSize: number;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

const mebibyte = 1 << 20;
const dayMs = 86_400_000;
const minAuthSecretBytes = 32;
const authSecretExample = '$(openssl rand -hex 32)';
/** A single process creates these secrets in its data directory. Replicas need them in the environment. */
const sharedSecrets = [
  ['SIGNING_KEY', '/etc/embedgate/signing-key.pem'],
  ['AUTH_SECRET', authSecretExample],
] as const;

/** Throws a ConfigError at the first invalid value. An empty value counts as unset, except for prompts. */
export function readConfig(given: Environment): Config {
  const environment = withSecretFiles(given);
  const exactText = (name: string): string | null => {
    // A file can name any variable, even `__proto__`, which every object has.
    const value: unknown = environment[name];
    return typeof value === 'string' ? value : null;
  };
  const text = (name: string): string | null => exactText(name)?.trim() || null;
  const whole = <D extends number | null>(name: string, bounds: WholeBounds<D>): number | D => {
    const value = text(name);
    if (value === null) return bounds.default;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    return fail(
      name,
      value,
      `is not a whole number from ${bounds.min} to ${bounds.max}`,
      bounds.default ?? bounds.min,
    );
  };
  const choice = <C extends string, D extends C | null>(
    name: string,
    choices: readonly C[],
    fallback: D,
  ): C | D => {
    const value = text(name);
    if (value === null) return fallback;
    const chosen = choices.find((candidate) => candidate === value);
    return chosen ?? fail(name, value, `is not one of ${choices.join(', ')}`, fallback ?? choices[0]!);
  };

  const postgres = (): PostgresConfig | null => {
    const url = databaseUrl('DATABASE_URL', text('DATABASE_URL'));
    const listenUrl = databaseUrl('DATABASE_LISTEN_URL', text('DATABASE_LISTEN_URL'));
    const poolSize = whole('DATABASE_POOL_SIZE', { default: 10, min: 4, max: 1_000 });
    if (url === null) return null;
    for (const [name, example] of sharedSecrets) {
      if (text(name) === null) {
        throw new ConfigError(
          `${name}: is required with DATABASE_URL, and must be the same for every replica; for example ${name}=${example}`,
        );
      }
    }
    return Object.freeze({ url, listenUrl, poolSize });
  };

  const address = publicUrl(text('PUBLIC_URL'));
  const read = { text, exactText, whole, choice };
  const path = text('EMBEDGATE_CONFIG');
  const file = path === null ? null : readSettingsFile(path);
  const config = Object.freeze({
    ...readDashboardSettings(read, address),
    host: text('HOST') ?? '127.0.0.1',
    port: whole('PORT', { default: 8080, min: 0, max: 65_535 }),
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    postgres: postgres(),
    hub: readHubSettings(environment),
    models: readModelSettings(read, file),
    tiers: readTiers(read, file),
    corsOrigins: readCorsOrigins(read),
    signingKey: text('SIGNING_KEY'),
    authSecret: authSecret(text('AUTH_SECRET')),
    publicUrl: address,
    bounds: readBounds(read),
    drainMs: whole('DRAIN_SECONDS', { default: 0, min: 0, max: 300 }) * 1_000,
    logLevel: choice('LOG_LEVEL', logLevels, 'info'),
    bootstrap: choice('EMBEDGATE_BOOTSTRAP', ['on', 'off'], 'on') === 'on',
    errorFormat: choice('ERROR_FORMAT', errorFormats, null),
    metricsToken: text('METRICS_TOKEN'),
    maxKeysPerOrganization: whole('MAX_KEYS_PER_ORGANIZATION', { default: 1_000, min: 1, max: 1_000_000 }),
    cacheMemoryBytes: whole('CACHE_MEMORY_MB', { default: 64, min: 1, max: 1_048_576 }) * mebibyte,
    cacheStoreBytes: whole('CACHE_STORE_MB', { default: 1_024, min: 1, max: 16_777_216 }) * mebibyte,
    cacheMaxAgeMs: whole('CACHE_MAX_AGE_DAYS', { default: 30, min: 1, max: 36_500 }) * dayMs,
    misspelled: misspelledIn(given),
  });
  file?.end();
  return config;
}

/** Returns the names of all settings: those that `readConfig` reads. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  readConfig(new Proxy<Environment>({}, { get: (_, name) => void names.add(String(name)) }));
  return names;
}

function misspelledIn(environment: Environment): ReturnType<typeof misspelled> {
  const variables = Object.keys(environment);
  return variables.length === 0 ? [] : misspelled(variables, settingNames());
}

function fail(name: string, value: string, fault: string, example: string | number): never {
  throw new ConfigError(`${name}: "${value}" ${fault}; for example ${name}=${example}`);
}

/** No error repeats the value, because it may contain a password. */
export function databaseUrl(name: string, value: string | null): string | null {
  if (value === null || isPostgresUrl(value)) return value;
  throw new ConfigError(
    `${name}: is not a postgres:// address; for example ${name}=postgres://embedgate:PASSWORD@db.internal:5432/embedgate`,
  );
}

function isPostgresUrl(value: string): boolean {
  // A socket's directory is in `?host=`, and the host's place is empty.
  const url = URL.parse(value.replace('@/', '@localhost/'));
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') return false;
  try {
    return [url.username, url.password, url.pathname].map(decodeURIComponent).length > 0;
  } catch {
    return false;
  }
}

function authSecret(value: string | null): string | null {
  if (value === null || Buffer.byteLength(value) >= minAuthSecretBytes) return value;
  throw new ConfigError(
    `AUTH_SECRET: has ${Buffer.byteLength(value)} bytes but needs ${minAuthSecretBytes} or more; for example AUTH_SECRET=${authSecretExample}`,
  );
}

function publicUrl(value: string | null): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  return fail('PUBLIC_URL', value, 'is not an http or https address', 'https://embed.example.com');
}
