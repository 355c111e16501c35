import { readFileSync } from 'node:fs';
import {
  ConfigError,
  type Environment,
  EnvironmentReader,
  refuse,
} from '../../packages/small/src/settings.ts';
import { codeOf } from '../errors.ts';
import { sections } from './settings.ts';

const secretNames = sections
  .flat()
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);

/** Throws what `withSecretFiles` throws. */
export const readerOf = (environment: Environment): EnvironmentReader =>
  new EnvironmentReader(withSecretFiles(environment));

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
  const variable = `${name}_FILE`;
  const example = `/run/secrets/${name.toLowerCase()}`;
  if (environment[name]?.trim()) {
    throw new ConfigError(
      `${variable}: ${name} is set too; set only one of them, for example ${variable}=${example}`,
    );
  }
  try {
    return readFileSync(path, 'utf8').trim() || refuse(variable, `"${path}" is empty`, example);
  } catch (reason) {
    if (reason instanceof ConfigError) throw reason;
    return refuse(variable, `"${path}" can't be read (${codeOf(reason)})`, example);
  }
}
