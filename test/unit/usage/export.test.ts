import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportUsage } from '../../../src/usage/export.ts';
import { parsePeriod } from '../../../src/usage/period.ts';
import type { UsageReader, UsageRow } from '../../../src/usage/reports.ts';

const figures = { counted: 1, cached: 2, failed: 3, texts: 4, tokens: 5 };

async function exported(rows: UsageRow[], format: 'csv' | 'json', names: Record<string, string>) {
  const reader = {
    rows: async (_org: string, first: number, end: number) =>
      rows.filter(({ day }) => day >= first && day < end),
  } as Pick<UsageReader, 'rows'> as UsageReader;
  const period = { firstDay: 0, endDay: 40 };
  const parts: string[] = [];
  const known = new Map(Object.entries(names).map(([keyId, name]) => [keyId, { name }]));
  const sources = { usage: reader, keys: { byId: async () => known } };
  const what = { orgId: 'org', period, keyId: null };
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
    'day,key_id,key_name,counted,cached,failed,texts,tokens,model\r\n' +
      '1970-01-01,a,plain,1,2,3,4,5,test-model\r\n' +
      '1970-01-11,b,"has ""quotes"", and a comma",1,2,3,4,5,test-model\r\n' +
      '1970-01-21,c,"\'=HYPERLINK(""http://evil.example"")",1,2,3,4,5,test-model\r\n' +
      '1970-01-31,gone,,1,2,3,4,5,test-model\r\n',
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
    assert.equal(text.slice(text.indexOf('\r\n') + 2), `1970-01-01,a,${cell},1,2,3,4,5,test-model\r\n`);
  }
});

test('JSON is a list, even when it is empty', async () => {
  assert.deepEqual(JSON.parse(await exported([], 'json', {})), { object: 'list', data: [] });
  const rows = ['a', 'gone'].map((keyId, i) => ({ keyId, day: i * 20, model: 'test-model', ...figures }));
  assert.deepEqual(JSON.parse(await exported(rows, 'json', { a: 'plain' })).data, [
    { day: '1970-01-01', key_id: 'a', key_name: 'plain', ...figures, model: 'test-model' },
    { day: '1970-01-21', key_id: 'gone', key_name: null, ...figures, model: 'test-model' },
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
