import { execFileSync } from 'node:child_process';
import type { Environment } from '../../helpers/embedgate.ts';

/** The reason why no process can be given another clock, or false. */
export function missingFaketime(): string | false {
  try {
    clockAhead(0);
    return false;
  } catch {
    return 'faketime is not installed (Debian: apt-get install faketime)';
  }
}

/** The environment of a process with a clock that is this much ahead. Its timers run as usual. */
export function clockAhead(ms: number): Environment {
  const offset = `${ms < 0 ? '-' : '+'}${Math.abs(Math.round(ms / 1_000))}s`;
  const printed = execFileSync('faketime', ['-m', '--exclude-monotonic', '-f', offset, 'env'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const settings = printed.split('\n').map((line) => /^([^=]+)=(.*)$/.exec(line) ?? []);
  return Object.fromEntries(
    settings.flatMap(([, name = '', value = '']) =>
      // FAKETIME_SHARED names memory of the command that has just ended.
      /^(LD_PRELOAD|FAKETIME|FAKETIME_DONT_\w+|DONT_\w+)$/.test(name) ? [[name, value]] : [],
    ),
  );
}
