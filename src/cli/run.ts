import { exitCodeOf } from './failure.ts';
import { buildProgram } from './program.ts';

/**
 * Runs one command and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. `serve` keeps running in the
 * background after this resolves.
 */
export async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  // A reader that has seen enough, such as `head`, closes the pipe. It does not want the rest.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  try {
    await buildProgram(environment).parseAsync(args, { from: 'user' });
    return 0;
  } catch (reason) {
    return exitCodeOf(reason, environment);
  }
}

function ignoreBrokenPipe(reason: NodeJS.ErrnoException): void {
  if (reason.code !== 'EPIPE') throw reason;
}
