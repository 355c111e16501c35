import { readFileSync } from 'node:fs';
import { codeOf } from '../errors.ts';
import { ConfigError } from '../lib/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that are secrets. Each can also be in a file, whose path is in the variable of that name and `_FILE`. */
const secretNames = [
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'SIGNING_KEY',
  'AUTH_SECRET',
  'METRICS_TOKEN',
  'SMTP_URL',
  'GITHUB_CLIENT_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'EMBEDDING_UPSTREAM_KEY',
  'HF_TOKEN',
];

/**
 * Returns the environment with the secrets that are in files, instead of the files' names. Throws a ConfigError for a
 * file that can't be read or is empty, and for a secret that is set in both ways.
 */
export function withSecretFiles(environment: Environment): Environment {
  const found = secretNames.flatMap((name) => {
    const path = environment[`${name}_FILE`]?.trim();
    return path ? [[name, secretIn(path, name, environment)] as const] : [];
  });
  if (found.length === 0) return environment;
  const files = found.map(([name]) => [`${name}_FILE`, undefined] as const);
  return { ...environment, ...Object.fromEntries([...found, ...files]) };
}

function secretIn(path: string, name: string, environment: Environment): string {
  if (environment[name]?.trim()) {
    throw new ConfigError(
      `${name}_FILE: ${name} is set too; set only one of them, for example ${exampleOf(name)}`,
    );
  }
  const secret = read(path, name);
  if (secret !== '') return secret;
  throw new ConfigError(`${name}_FILE: "${path}" is empty; for example ${exampleOf(name)}`);
}

function read(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (reason) {
    throw new ConfigError(
      `${name}_FILE: "${path}" can't be read (${codeOf(reason)}); for example ${exampleOf(name)}`,
    );
  }
}

const exampleOf = (name: string): string => `${name}_FILE=/run/secrets/${name.toLowerCase()}`;
