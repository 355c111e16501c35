import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { useProxy } from '../config/proxy.ts';
import { messageOf, ServiceError } from '../errors.ts';
import { ownerIn } from '../lib/owner-of.ts';
import { tell } from './output.ts';
import { buildProgram } from './program.ts';

/**
 * Runs one command and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, or a code that only
 * this command has. `serve` keeps running in the background after this resolves.
 */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  // A reader that has seen enough, such as `head`, closes the pipe. It does not want the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  try {
    useProxy(environment);
    await buildProgram(environment).parseAsync(args, { from: 'user' });
    return 0;
  } catch (reason) {
    return exitCodeOf(reason, environment);
  }
}

function ignoreBrokenPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== 'EPIPE') throw reason;
}

const refused = 1;
const wrongUsage = 2;

/** Prints the reason of a failure on one line, and returns the exit code. */
function exitCodeOf(reason: unknown, environment: NodeJS.ProcessEnv): number {
  // The parser has already printed the error, or the output of --help or --version.
  if (reason instanceof CommanderError) return reason.exitCode === 1 ? wrongUsage : reason.exitCode;
  // Only people who run the service read this, and its cause says what to change.
  const isPassing = reason instanceof ServiceError && reason.code === 'unavailable';
  const cause = isPassing ? reason.cause : undefined;
  const told = messageOf(cause ?? reason);
  const hinted = told.replace(/^No organization \S+$/, '$&: see "embedgate orgs list"');
  const message = hinted.includes('belongs to user') ? hinted : hinted + ownerIn(cause ?? reason);
  tell(`embedgate: ${message.replace(/\s*\n\s*/g, ' ')}`);
  const foreseen = !cause && (reason instanceof ServiceError || reason instanceof ConfigError);
  if (!foreseen && isDebugging(environment)) tell(inspect(reason));
  return refused;
}

function isDebugging({ LOG_LEVEL }: NodeJS.ProcessEnv): boolean {
  return LOG_LEVEL === 'debug' || LOG_LEVEL === 'trace';
}
