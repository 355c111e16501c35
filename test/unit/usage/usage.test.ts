import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, windowAt } from '../../../src/quota/window.ts';
import { type ExportFormat, exportUsage } from '../../../src/usage/export.ts';
import { parsePeriod } from '../../../src/usage/period.ts';
import { project } from '../../../src/usage/projection.ts';
import type { UsageRow } from '../../../src/usage/reports.ts';
import type { UsageReader } from '../../../src/usage/usage-snapshot.ts';

const sent = { counted: 1, cached: 2, failed: 3, texts: 5, tokens: 7, truncated: 8 };
const figures = { ...sent, countedTexts: 4, countedTokens: 6, cost: 9 };

async function exported(rows: UsageRow[], format: ExportFormat, names: Record<string, string>) {
  const reader = {
    rows: async (_org: string, first: number, end: number) =>
      rows.filter(({ day }) => day >= first && day < end),
  } as Pick<UsageReader, 'rows'> as UsageReader;
  const period = { firstDay: 0, endDay: 40 };
  const parts: string[] = [];
  const known = new Map(Object.entries(names).map(([keyId, name]) => [keyId, { name, userId: 'u' }]));
  const sources = { usage: reader, keys: { byId: async () => known } };
  const what = { orgId: 'org', period, keyIds: null };
  for await (const part of exportUsage(sources, what, format)) parts.push(part);
  return parts.join('');
}

test('CSV has a line for each key and day, quoted where needed, and no name becomes a formula', async () => {
  const names = { a: 'plain', b: 'has "quotes", and a comma', c: '=HYPERLINK("http://evil.example")' };
  const rows = ['a', 'b', 'c', 'gone'].map((keyId, i) => ({
    keyId,
    day: i * 10,
    model: 'test-model',
    ...figures,
  }));
  assert.equal(
    await exported(rows, 'csv', names),
    'day,key_id,key_name,user_id,counted,cached,failed,texts,counted_texts,tokens,counted_tokens,truncated,cost,model\r\n' +
      '1970-01-01,a,plain,u,1,2,3,5,4,7,6,8,9,test-model\r\n' +
      '1970-01-11,b,"has ""quotes"", and a comma",u,1,2,3,5,4,7,6,8,9,test-model\r\n' +
      '1970-01-21,c,"\'=HYPERLINK(""http://evil.example"")",u,1,2,3,5,4,7,6,8,9,test-model\r\n' +
      '1970-01-31,gone,,gone,1,2,3,5,4,7,6,8,9,test-model\r\n',
  );
});

test('no part of a name becomes a formula in CSV, whatever separator a spreadsheet splits at', async () => {
  const cells = {
    'x;=1+1': `"x;'=1+1"`,
    'x,=1+1': `"x,'=1+1"`,
    'x|@SUM(1)': `"x|'@SUM(1)"`,
    'x\t-1': `"x\t'-1"`,
    'x\r\n=1': `"x\r\n'=1"`,
    'x;"=1"': `"x;'""=1"""`,
    'x; =1': `"x;' =1"`,
    'x;;+1': `"x;;'+1"`,
    ' =1': `' =1`,
    '+1': `'+1`,
    '\t1': `"'\t1"`,
    '\r1': `"'\r1"`,
    '\uff1d1': `'\uff1d1`,
    'a-b + c = d@e': 'a-b + c = d@e',
    'a; b': '"a; b"',
  };
  for (const [name, cell] of Object.entries(cells)) {
    const text = await exported([{ keyId: 'a', day: 0, model: 'test-model', ...figures }], 'csv', {
      a: name,
    });
    assert.equal(
      text.slice(text.indexOf('\r\n') + 2),
      `1970-01-01,a,${cell},u,1,2,3,5,4,7,6,8,9,test-model\r\n`,
    );
  }
});

test('CSV for Excel begins with a byte order mark', async () => {
  assert.equal(await exported([], 'excel', {}), `\ufeff${await exported([], 'csv', {})}`);
});

test('JSON is a list, even when it is empty', async () => {
  assert.deepEqual(JSON.parse(await exported([], 'json', {})), { object: 'list', data: [] });
  const view = { ...sent, counted_texts: 4, counted_tokens: 6, cost: 9 };
  const rows = ['a', 'gone'].map((keyId, i) => ({ keyId, day: i * 20, model: 'test-model', ...figures }));
  assert.deepEqual(JSON.parse(await exported(rows, 'json', { a: 'plain' })).data, [
    { day: '1970-01-01', key_id: 'a', key_name: 'plain', user_id: 'u', ...view, model: 'test-model' },
    { day: '1970-01-21', key_id: 'gone', key_name: null, user_id: 'gone', ...view, model: 'test-model' },
  ]);
});

test('a period consists of calendar days, is this month by default, and has a bounded length', () => {
  const nowMs = Date.parse('2026-11-21T23:59:59Z');
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
  assert.deepEqual(parsePeriod(undefined, undefined, nowMs), {
    firstDay: day('2026-11-01'),
    endDay: day('2026-11-22'),
  });
  assert.deepEqual(parsePeriod('2024-02-29', '2024-02-29', nowMs), {
    firstDay: day('2024-02-29'),
    endDay: day('2024-03-01'),
  });
  for (const [from, to] of [
    ['2026-02-29', undefined],
    ['2026-11-22', undefined],
    ['2020-01-01', undefined],
    ['yesterday', undefined],
    ['2026-11-02', '2026-11-01'],
  ]) {
    assert.throws(() => parsePeriod(from, to, nowMs), { code: 'invalid_request' }, `${from} ${to}`);
  }
});

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const today = dayOf(nowMs);
const { startMs, endMs: resetsAtMs } = windowAt('month', nowMs);
const standing = (used: number, limit: number | null = 10_000) => ({
  limit,
  used,
  unit: 'requests' as const,
  window: 'month' as const,
  startMs,
  resetsAtMs,
  asOfMs: nowMs,
});
/** `counted` requests a day in the last `days` days, today included, after `before` earlier days of use. */
const daily = (counted: number, days: number, before = 100) => ({
  firstDay: today - days + 1 - before,
  counted: counted * days,
});

test('the rate of seven days continues: with 400 a day and 1,600 left, the quota ends in four days', () => {
  const pace = { firstDay: today - 100, counted: 6 * 400 + 200 };
  assert.deepEqual(project(standing(8_400), pace, nowMs), {
    fromMs: Date.parse('2026-11-14T00:00:00Z'),
    toMs: nowMs,
    counted: 2_600,
    perDay: 400,
    usedAtReset: 8_400 + 10.5 * 400,
    exhaustsAtMs: Date.parse('2026-11-24T12:00:00Z'),
  });
});

test('a quota that lasts has no end, nor has an unlimited one', () => {
  assert.equal(project(standing(1_000), daily(40, 7), nowMs)?.exhaustsAtMs, null);
  const unlimited = project(standing(1_000, null), daily(4_000, 7), nowMs);
  assert.equal(unlimited?.exhaustsAtMs, null);
  assert.ok((unlimited?.usedAtReset ?? 0) > 40_000);
});

test('a quota that is used up has already ended', () => {
  assert.equal(project(standing(10_000), daily(2_000, 7), nowMs)?.exhaustsAtMs, nowMs);
});

test('the days before the first use do not lower the rate', () => {
  const project3 = project(standing(1_000), daily(100, 3, 0), nowMs);
  assert.equal(project3?.perDay, 300 / 2.5);
});

test('days without requests lower the rate, because a weekend is part of the week', () => {
  // From Monday to Friday noon, after an idle weekend.
  assert.equal(nowMs, Date.parse('2026-11-20T12:00:00Z'));
  const weekdays = project(standing(5_800), { firstDay: today - 30, counted: 4 * 400 + 200 }, nowMs);
  assert.equal(weekdays?.perDay, 1_800 / 6.5);
  assert.equal(weekdays?.exhaustsAtMs, null);
});

test('too little data gives no projection', () => {
  assert.equal(project(standing(0), { firstDay: null, counted: 0 }, nowMs), null);
  assert.equal(project(standing(500), daily(250, 2, 0), nowMs), null);
  assert.equal(project(standing(0), daily(0, 7), nowMs), null);
  assert.equal(project({ ...standing(5), window: 'day' }, daily(100, 7), nowMs), null);
});
