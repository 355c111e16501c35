import type { Command } from 'commander';
import { limitView, noneInProgress } from '../../api/limit.ts';
import { quotaView } from '../../api/quota.ts';
import { figuresView } from '../../api/usage.ts';
import { modelUsageView } from '../../api/usage-report.ts';
import { invalidRequest, notFound } from '../../errors.ts';
import type { KeySummary } from '../../keys/key.ts';
import { isoTime } from '../../lib/clock.ts';
import { remainingOf, type Standing } from '../../quota/decide.ts';
import type { ListedLimit } from '../../quota/limit.ts';
import { monthDays } from '../../quota/window.ts';
import type { Core } from '../../service/core.ts';
import {
  figureNames,
  type ModelTotals,
  type MonthReport,
  monthReportOf,
  readSnapshot,
  standingIn,
  type UsageTotals,
  usageFigures,
} from '../../usage/reports.ts';
import { parseId, parseMonth } from '../arguments.ts';
import { minute, printResult, reset } from '../output.ts';
import { columns, fields } from '../table.ts';
import { withCore } from '../with-core.ts';
import { quotaText } from './orgs.ts';

interface Usage {
  readonly orgId: string;
  readonly name: string;
  readonly month: string;
  /** Null for any month but the current one, because earlier limits are not kept. */
  readonly standing: Standing | null;
  readonly report: MonthReport;
  readonly models: readonly ModelTotals[];
  readonly limits: readonly ListedLimit[];
  readonly keys: ReadonlyMap<string, KeySummary>;
}

export function usageCommand(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('usage')
    .description('show the usage of an organization in a month, by key and model, and its limits')
    .option('--org-id <org>', 'the organization (default: the only one)', parseId)
    .option('--month <month>', 'the month in UTC, such as 2026-11 (default: the current one)', parseMonth)
    .addHelpText(
      'after',
      '\nExamples:\n  $ embedgate usage --org-id "$ORG_ID"\n  $ embedgate usage --org-id "$ORG_ID" --month ' +
        '2026-11 --json',
    )
    .action((options: { orgId?: string; month?: number; json?: boolean }) =>
      withCore(environment, async (core) => {
        const usage = await readUsage(core, options.orgId ?? (await onlyOrganization(core)), options.month);
        printResult(options, usageView(usage), () => usageText(usage));
      }),
    );
}

async function onlyOrganization({ organizations }: Core): Promise<string> {
  const { data } = await organizations.list({ limit: 2 });
  const [only, another] = data;
  if (only && !another) return only.orgId;
  throw invalidRequest(
    `There is ${another ? 'more than one' : 'no'} organization: give --org-id, which "embedgate orgs list" shows`,
  );
}

async function readUsage(
  { organizations, keys, limits, usage, config }: Core,
  orgId: string,
  monthStartMs?: number,
): Promise<Usage> {
  const { name } = await organizations.get(orgId);
  const days = monthStartMs === undefined ? 'month' : monthDays(monthStartMs);
  const snapshot = await readSnapshot(usage, orgId, {
    byKey: [days],
    byDay: [],
    byModel: [{ days, keyIds: null }],
    pace: false,
  });
  if (!snapshot) throw notFound('No such organization');
  const startMs = monthStartMs ?? snapshot.monthStartMs;
  const standing = startMs === snapshot.monthStartMs ? standingIn(snapshot, config.tiers) : null;
  const report = monthReportOf(snapshot.byKey[0] ?? []);
  const byId = await keys.byId(orgId, report.byKey);
  const models = snapshot.byModel[0] ?? [];
  const found = await limits.applying(orgId, null);
  return {
    orgId,
    name,
    month: isoTime(startMs).slice(0, 7),
    standing,
    report,
    models,
    limits: found,
    keys: byId,
  };
}

function usageView({ orgId, month, standing, report, models, limits, keys }: Usage) {
  return {
    org_id: orgId,
    month,
    quota: standing && quotaView(standing),
    totals: figuresView(report.totals),
    keys: report.byKey.map(({ keyId, ...figures }) => ({
      key_id: keyId,
      name: keys.get(keyId)?.name ?? null,
      ...figuresView(figures),
    })),
    models: models.map(modelUsageView),
    // Only the server knows what is in progress.
    limits: limits.map((limit) => limitView(limit, noneInProgress)),
  };
}

function usageText({ orgId, name, month, standing, report, models, limits, keys }: Usage): string {
  const about = fields([
    ['Organization', `${name}, ${orgId}`],
    ['Month', month],
    ...(standing ? standingFields(standing) : []),
  ]);
  const rows = report.byKey.map(({ keyId, ...figures }) => [
    keyId,
    keys.get(keyId)?.name ?? '',
    ...figuresOf(figures),
  ]);
  const table = columns(
    ['key id', 'name', ...figureHeads],
    [...rows, ['Total', '', ...figuresOf(report.totals)]],
  );
  const byModel = columns(
    ['model', ...figureHeads],
    models.map(({ model, ...figures }) => [model || '(unknown)', ...figuresOf(figures)]),
  );
  const tables = [about, table, byModel, ...(limits.length > 0 ? [limitsTable(limits)] : [])];
  return tables.join('\n\n');
}

function standingFields(standing: Standing): [string, string | number][] {
  return [
    ['Limit', quotaText(standing)],
    ['Used', standing.used],
    ['Remaining', remainingOf(standing) ?? 'unlimited'],
    ['Resets', reset(standing)],
  ];
}

const figureHeads = figureNames.map((name) => name.replace('_', ' '));

function figuresOf(totals: UsageTotals): number[] {
  return usageFigures.map((name) => totals[name]);
}

function limitsTable(limits: readonly ListedLimit[]): string {
  return columns(
    ['limit', 'unit', 'window', 'amount', 'waits', 'used', 'resets'],
    limits.map(({ limitId, unit, window, amount, maxWaitMs, used, resetsAtMs }) => [
      limitId,
      unit,
      window === 'none' ? '' : window,
      String(amount),
      maxWaitMs === null ? '' : `${maxWaitMs / 1_000} s`,
      String(used),
      window === 'none' ? '' : minute(resetsAtMs),
    ]),
  );
}
