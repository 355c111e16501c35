import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import { tell } from './output.ts';

const refused = 1;
const wrongUsage = 2;

/** Prints the reason of a failure on one line, and returns the exit code. */
export function exitCodeOf(reason: unknown, environment: NodeJS.ProcessEnv): number {
  // The parser has already printed the error, or the output of --help or --version.
  if (reason instanceof CommanderError) return reason.exitCode === 0 ? 0 : wrongUsage;
  const message = reason instanceof Error ? reason.message : String(reason);
  tell(`embedgate: ${message.replace(/\s*\n\s*/g, ' ')}`);
  const foreseen = reason instanceof ServiceError || reason instanceof ConfigError;
  if (!foreseen && isDebugging(environment)) tell(inspect(reason));
  return refused;
}

function isDebugging({ LOG_LEVEL }: NodeJS.ProcessEnv): boolean {
  return LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace';
}
