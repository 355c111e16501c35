import type { Command } from 'commander';
import { isoTime } from '../../lib/clock.ts';
import type { FutureWindow, RepairedWindow } from '../../quota/window-repair.ts';
import { printResult } from '../output.ts';
import { columns } from '../table.ts';
import { withGate } from '../with-gate.ts';

type Options = { dryRun?: boolean; json?: boolean };
type Window = FutureWindow | RepairedWindow;

const organizationsPerRound = 100;

const details = `
A clock that was ahead and is set back leaves windows that begin in the future: requests count in them until the
clock has caught up. This command moves those windows back to the current ones, and usage recorded on later days to
today. A month or a day of the quota then counts what is recorded in it; limits keep their counts. It works while the
server runs. First make sure that the clock is correct: the clock of the database's machine with DATABASE_URL,
otherwise that of this machine.

Examples:
  $ embedgate orgs repair-windows --dry-run
  $ embedgate orgs repair-windows`;

export function repairWindowsCommand(parent: Command, environment: NodeJS.ProcessEnv): void {
  parent
    .command('repair-windows')
    .description('move back quota windows that a clock running ahead left in the future')
    .option('--dry-run', 'only list them')
    .option('--json', 'print one JSON document')
    .addHelpText('after', details)
    .action((options: Options) =>
      withGate(environment, async ({ stores: { windowRepair } }) => {
        const { nowMs, windows } = await windowRepair.future(organizationsPerRound);
        const done: Window[] = options.dryRun ? windows : [];
        let left = options.dryRun ? [] : windows;
        while (left.length > 0) {
          for (const orgId of new Set(left.map((window) => window.orgId))) {
            done.push(...(await windowRepair.repair(orgId)));
          }
          left = (await windowRepair.future(organizationsPerRound)).windows;
        }
        const view = { now: isoTime(nowMs), repaired: !options.dryRun, windows: done.map(windowView) };
        printResult(options, view, () => text(nowMs, done));
      }),
    );
}

function windowView(window: Window) {
  return {
    org_id: window.orgId,
    name: window.name,
    limit_id: window.limitId,
    window: window.window,
    starts_at: isoTime(window.startMs),
    used: window.used,
    ...('newStartMs' in window && { new_starts_at: isoTime(window.newStartMs), new_used: window.newUsed }),
  };
}

function text(nowMs: number, windows: readonly Window[]): string {
  const now = `The clock says ${isoTime(nowMs)}.`;
  if (windows.length === 0) return `${now} No window begins in the future.`;
  const head = ['org id', 'name', 'limit', 'window', 'starts', 'used', 'now starts', 'now used'];
  const rows = windows.map((window) => [
    ...[
      window.orgId,
      window.name,
      window.limitId ?? '-',
      window.window,
      isoTime(window.startMs),
      window.used,
    ],
    ...('newStartMs' in window ? [isoTime(window.newStartMs), window.newUsed] : ['-', '-']),
  ]);
  return `${now}\n\n${columns(head, rows)}`;
}
