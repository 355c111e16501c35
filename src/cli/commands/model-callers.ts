import type { Command } from 'commander';
import { callerView } from '../../api/usage-report.ts';
import { callerDays, maxCallers, plansOf } from '../../embeddings/lifecycle.ts';
import { dayOf } from '../../quota/window.ts';
import { countFrom } from '../arguments.ts';
import { printList } from '../output.ts';
import { columns } from '../table.ts';
import { withGate } from '../with-gate.ts';

type CallersOptions = { days: number; json?: boolean };

const shown = ['model', 'sunset', 'org_name', 'name', 'counted', 'cached', 'failed', 'last_day'] as const;
const titles: Record<string, string> = { org_name: 'organization', name: 'key', last_day: 'last day' };

/** Adds the command to the group `models`. */
export function callersCommand(group: Command, environment: NodeJS.ProcessEnv): void {
  group
    .command('callers')
    .description('list the keys of all organizations that call models with a day of deprecation or a sunset')
    .option('--days <days>', 'how many days to look back', countFrom(1, 366, 'days'), callerDays)
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate models callers\n  $ embedgate models callers --days 7 --json',
    )
    .action((options: CallersOptions) => callers(environment, options));
}

function callers(environment: NodeJS.ProcessEnv, options: CallersOptions): Promise<void> {
  return withGate(environment, async ({ usage, keys, organizations, config, clock }) => {
    const plans = plansOf(config.models);
    const firstDay = dayOf(clock.now()) - options.days + 1;
    const found = await usage.callersOf([...plans.keys()], { orgId: null, firstDay, limit: maxCallers });
    const rows = [];
    for (const [orgId, callers] of Map.groupBy(found, (caller) => caller.orgId)) {
      const { name } = await organizations.get(orgId);
      const byId = await keys.byId(orgId, callers);
      for (const caller of callers) {
        const view = callerView(caller, plans.get(caller.model)!, byId.get(caller.keyId));
        rows.push({ org_id: orgId, org_name: name, ...view });
      }
    }
    const cells = rows.map((row) => shown.map((name) => row[name] ?? (name === 'name' ? row.key_id : '')));
    const head = shown.map((name) => titles[name] ?? name);
    const none = plans.size === 0 ? 'No model is deprecated.' : 'No key calls a deprecated model.';
    printList(options, rows, () => columns(head, cells), none);
  });
}
