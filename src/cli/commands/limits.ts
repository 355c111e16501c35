import { type Command, Option } from 'commander';
import { limitView } from '../../api/limit.ts';
import { type LimitStanding, type LimitUnit, limitUnits } from '../../quota/limit.ts';
import { type WindowKind, windowKinds } from '../../quota/window.ts';
import { countFrom, parseCount, parseId } from '../arguments.ts';
import { minute, printList, printResult } from '../output.ts';
import { columns } from '../table.ts';
import { withGate } from '../with-gate.ts';

type Environment = NodeJS.ProcessEnv;
type Scope = { orgId: string; keyId?: string };

export function limitsCommands(program: Command, environment: Environment): void {
  const limits = program
    .command('limits')
    .description('limit requests, texts or tokens of an organization or a key')
    .addHelpText('after', '\nExample:\n  $ embedgate limits list --org-id "$ORG_ID"');
  addCommand(limits, environment);
  listCommand(limits, environment);
  setCommand(limits, environment);
  removeCommand(limits, environment);
}

function addCommand(parent: Command, environment: Environment): void {
  type Options = Scope & {
    unit: LimitUnit;
    window: WindowKind;
    amount: number;
    maxWait?: number;
    json?: boolean;
  };
  scopeOptions(parent.command('add').description('add a limit beside the quota of the tier'))
    .addOption(new Option('--unit <unit>', 'what the limit counts').choices(limitUnits).makeOptionMandatory())
    .addOption(
      new Option('--window <window>', 'a calendar window in UTC').choices(windowKinds).makeOptionMandatory(),
    )
    .requiredOption('--amount <number>', 'the maximum number of units in each window', parseCount)
    .option(
      '--max-wait <seconds>',
      'how long a request waits for the next window before it is refused: 1 to 60, for a window of a second or a minute',
      countFrom(1, 60, 'seconds'),
    )
    .addHelpText(
      'after',
      '\nA request counts in the quota and in every limit that applies to it, or in none of them.\n\n' +
        'Examples:\n  $ embedgate limits add --org-id "$ORG_ID" --unit tokens --window minute --amount 100000\n' +
        '  $ embedgate limits add --org-id "$ORG_ID" --key-id "$KEY_ID" --unit requests --window day --amount 1000',
    )
    .action((options: Options) =>
      withGate(environment, async ({ limits }) => {
        const { orgId, keyId = null, unit, window, amount, maxWait } = options;
        const maxWaitMs = maxWait === undefined ? null : maxWait * 1_000;
        const added = await limits.add(orgId, { keyId, unit, window, amount, maxWaitMs });
        printResult(options, limitView(added), () => limitsText([added]));
      }),
    );
}

function listCommand(parent: Command, environment: Environment): void {
  scopeOptions(parent.command('list').description('list the limits of an organization or a key'))
    .addHelpText('after', '\nExample:\n  $ embedgate limits list --org-id "$ORG_ID" --key-id "$KEY_ID"')
    .action((options: Scope & { json?: boolean }) =>
      withGate(environment, async ({ limits, organizations }) => {
        const { orgId } = await organizations.get(options.orgId);
        const found = await limits.list(orgId, options.keyId ?? null);
        printList(options, found.map(limitView), () => limitsText(found), 'No limits.');
      }),
    );
}

function setCommand(parent: Command, environment: Environment): void {
  limitOptions(parent.command('set').description('change the amount of a limit'))
    .requiredOption('--amount <number>', 'the maximum number of units in each window', parseCount)
    .addHelpText(
      'after',
      '\nExample:\n  $ embedgate limits set --org-id "$ORG_ID" --limit-id "$LIMIT_ID" --amount 200000',
    )
    .action((options: { orgId: string; limitId: string; amount: number; json?: boolean }) =>
      withGate(environment, async ({ limits }) => {
        const changed = await limits.setAmount(options.orgId, options.limitId, options.amount);
        printResult(options, limitView(changed), () => limitsText([changed]));
      }),
    );
}

function removeCommand(parent: Command, environment: Environment): void {
  limitOptions(parent.command('remove').description('remove a limit'))
    .addHelpText('after', '\nExample:\n  $ embedgate limits remove --org-id "$ORG_ID" --limit-id "$LIMIT_ID"')
    .action((options: { orgId: string; limitId: string; json?: boolean }) =>
      withGate(environment, async ({ limits }) => {
        const { orgId, limitId } = options;
        await limits.remove(orgId, limitId);
        printResult(options, { limit_id: limitId, removed: true }, () => `Removed the limit ${limitId}.`);
      }),
    );
}

function scopeOptions(command: Command): Command {
  return command
    .requiredOption('--org-id <org>', 'the organization', parseId)
    .option('--key-id <key>', 'a key of the organization (default: the organization itself)', parseId);
}

function limitOptions(command: Command): Command {
  return command
    .requiredOption('--org-id <org>', 'the organization', parseId)
    .requiredOption('--limit-id <limit>', 'the limit', parseId);
}

export function limitsText(limits: readonly LimitStanding[]): string {
  return columns(
    ['limit', 'unit', 'window', 'amount', 'waits', 'used', 'resets'],
    limits.map(({ limitId, unit, window, amount, maxWaitMs, used, resetsAtMs }) => [
      limitId,
      unit,
      window,
      String(amount),
      maxWaitMs === null ? '' : `${maxWaitMs / 1_000} s`,
      String(used),
      minute(resetsAtMs),
    ]),
  );
}
