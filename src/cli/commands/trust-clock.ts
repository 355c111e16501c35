import type { Command } from 'commander';
import { printResult } from '../output.ts';
import { withCore } from '../with-core.ts';

const details = `
A service whose clock is more than 14 days ahead of the last time that its database has seen deletes nothing and runs no
batch, because the clock may be wrong. Run this if the clock is right, for example after a long pause.

Example:
  $ embedgate trust-clock`;

export function trustClockCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('trust-clock')
    .description('confirm the clock after a pause of more than 14 days, so that old data is deleted again')
    .addHelpText('after', details)
    .action((options: { json?: boolean }) =>
      withCore(environment, async ({ stores }) => {
        const now = new Date(await stores.leases.trustClock()).toISOString();
        printResult(options, { now }, () => `The clock is right: it is ${now}.`);
      }),
    );
}
