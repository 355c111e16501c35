import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { currentRow } from '../../../src/quota/decide.ts';
import type { LimitUnit } from '../../../src/quota/limit.ts';
import { dayOf, monthDays } from '../../../src/quota/window.ts';
import type { Stores } from '../../../src/service/stores.ts';
import { exportUsage } from '../../../src/usage/export.ts';
import type { Period } from '../../../src/usage/period.ts';
import {
  addTotals,
  figureNames,
  noUsage,
  type UsageTotals,
  usageFigures,
} from '../../../src/usage/reports.ts';
import { snapshotQuestion, usageReportOf } from '../../../src/usage/usage-report.ts';
import type { Random } from '../../helpers/random.ts';
import { finishDeletions } from '../../helpers/stored.ts';
import type { Expected } from './history.ts';

const tables = ['quota_windows', 'usage_records', 'usage_monthly', 'usage_by_day'];

const sumOf = (rows: readonly UsageTotals[]): UsageTotals => rows.reduce<UsageTotals>(addTotals, noUsage);
/** Returns the figures of a row of a file. */
const totalsOf = (figureAt: (name: string, place: number) => unknown) =>
  Object.fromEntries(
    usageFigures.map((figure, i) => [figure, figureAt(figureNames[i]!, i)]),
  ) as unknown as UsageTotals;

/** Checks that all reports of an organization agree with each other and with what happened. */
export async function checkOrganization(stores: Stores, orgId: string, expected: Expected, random: Random) {
  const { usage } = stores;
  const all = await usage.rows(orgId, 0, 1_000_000);
  const { counted, cached, failed, texts, tokens, truncated } = sumOf(all);
  const { granted, givenBack, unknownAsks, unknownGiveBacks, ...recorded } = expected;
  assert.deepEqual({ cached, failed, texts, tokens, truncated }, recorded);
  assert.ok(counted >= granted - givenBack - unknownGiveBacks, `${counted} counted, ${granted} granted`);
  assert.ok(counted <= granted - givenBack + unknownAsks, `${counted} counted, ${granted} granted`);

  const month = await usage.snapshot(orgId, { byKey: ['month'], byDay: [], pace: false });
  assert.ok(month);
  const row = month.windows.find(({ kind }) => kind === 'month');
  const inMonth = monthDays(month.monthStartMs);
  const used = currentRow('month', row, month.nowMs).used;
  assert.equal(sumOf(month.byKey[0] ?? []).counted, used);
  const ofMonth = sumOf(all.filter(({ day }) => day >= inMonth.firstDay && day < inMonth.endDay));
  assert.equal(ofMonth.counted, used);
  // A history gives each organization limits that count the texts, tokens and cost of a month, so the ledger has these too.
  const limits = await stores.limits.list(orgId, { keyId: null, userId: null });
  const usedOf = (wanted: LimitUnit) =>
    limits.find(({ unit, window }) => unit === wanted && window === 'month')?.used;
  const { countedTexts, countedTokens, cost } = ofMonth;
  assert.deepEqual([countedTexts, countedTokens, cost], (['texts', 'tokens', 'cost'] as const).map(usedOf));

  const days = all.map(({ day }) => day);
  const today = dayOf(month.nowMs);
  const first = Math.min(today, ...days);
  const last = Math.max(today, ...days);
  const whole = {
    firstDay: monthDays(first * 86_400_000).firstDay,
    endDay: monthDays(last * 86_400_000).endDay,
  };
  const firstDay = first - random.below(40);
  for (const period of [whole, { firstDay, endDay: Math.max(firstDay + 1, last - random.below(40)) }]) {
    await checkPeriod(stores, orgId, period);
  }
}

async function checkPeriod({ usage }: Stores, orgId: string, period: Period): Promise<void> {
  const rows = await usage.rows(orgId, period.firstDay, period.endDay);
  const total = sumOf(rows);
  const keyIds = [...new Set(rows.map(({ keyId }) => keyId))];
  for (const keyId of [null, ...keyIds]) {
    const keyIds = keyId === null ? null : [keyId];
    const own = keyId === null ? total : sumOf(rows.filter((row) => row.keyId === keyId));
    assert.deepEqual(sumOf(await usage.totalsByDay(orgId, period.firstDay, period.endDay, keyIds)), own);
    for (const grain of ['day', 'month'] as const) {
      const question = { period, grain, keyIds };
      const snapshot = await usage.snapshot(orgId, snapshotQuestion(question));
      assert.ok(snapshot);
      const report = usageReportOf(snapshot, question);
      assert.deepEqual(report.totals, own);
      assert.deepEqual(sumOf(report.series), own);
      assert.deepEqual(sumOf(report.byKey), own);
    }
    const exported = { orgId, period, keyIds };
    const sources = { usage, keys: { byId: async () => new Map<string, never>() } };
    const [json, csv] = [
      await textOf(exportUsage(sources, exported, 'json')),
      await textOf(exportUsage(sources, exported, 'csv')),
    ];
    const { data } = JSON.parse(json) as { data: Record<string, number>[] };
    assert.deepEqual(sumOf(data.map((part) => totalsOf((name) => part[name]))), own);
    const lines = csv.trim().split('\r\n').slice(1);
    const fromCsv = lines.map((line) => {
      const cells = line.split(',').slice(4).map(Number);
      return totalsOf((_, place) => cells[place]);
    });
    assert.deepEqual(sumOf(fromCsv), own);
  }
}

/** Checks that nothing is left of deleted organizations. */
export async function checkDeleted(stores: Stores, orgIds: readonly string[]): Promise<void> {
  const { db } = await stores.authDatabase();
  await finishDeletions(stores);
  for (const table of tables) {
    for (const orgId of orgIds) {
      const { rows } = await sql`SELECT org_id FROM ${sql.table(table)} WHERE org_id = ${orgId}`.execute(db);
      assert.deepEqual(rows, [], `${table} has rows of an organization that was deleted`);
    }
  }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
