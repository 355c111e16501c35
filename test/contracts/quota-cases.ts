import type { WindowKind } from '../../src/quota/window.ts';

export const at = (time: string): number => Date.parse(time);

/** A decision of the quota rule, and everything that it depends on. */
export interface QuotaCase {
  readonly name: string;
  /** Null means unlimited. */
  readonly limit: number | null;
  readonly window: WindowKind;
  /** The requests counted before, in the month and in `window`, which is the limit's by default. */
  readonly before?: { readonly used: number; readonly at: string; readonly window?: WindowKind };
  readonly now: string;
  readonly asks: number;
  readonly granted: number;
  /** The count of the limit's window after the decision. */
  readonly used: number;
  readonly startsAt: string;
  readonly resetsAt: string;
  /** The count of the month after the decision, if the limit has another window. */
  readonly monthUsed?: number;
}

/** A case as a row of the tables below. */
type Row = readonly [
  name: string,
  limit: number | null,
  before: QuotaCase['before'],
  now: string,
  startsAt: string,
  resetsAt: string,
  asks: number,
  granted: number,
  used: number,
  monthUsed?: number,
];

const caseOf = (window: WindowKind, row: Row): QuotaCase => {
  const [name, limit, before, now, startsAt, resetsAt, asks, granted, used, monthUsed] = row;
  const figures = { limit, window, now, startsAt, resetsAt, asks, granted, used };
  return { name, ...figures, ...(before && { before }), ...(monthUsed !== undefined && { monthUsed }) };
};

const november = ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'] as const;
const december = ['2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'] as const;
const inNovember = ['2026-11-21T03:00:00Z', ...november] as const;
const lastOfNovember = '2026-11-30T23:59:59.999Z';
const firstOfDecember = '2026-12-01T00:00:00.000Z';
const earlier = (used: number) => ({ used, at: '2026-11-01T00:00:00.000Z' });
const justBefore = { used: 5, at: lastOfNovember };
const early = { used: 4, at: '2026-12-01T00:00:00.500Z' };
const leap = { used: 5, at: '2028-02-01T00:00:00Z' };
const february = ['2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'] as const;
const newYear = ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z'] as const;
const muchLater = ['2027-02-10T12:00:00Z', '2027-02-01T00:00:00Z', '2027-03-01T00:00:00Z'] as const;

const months: readonly Row[] = [
  ['grants the first request', 5, undefined, ...inNovember, 1, 1, 1],
  ['grants what is left', 5, earlier(3), ...inNovember, 4, 2, 5],
  ['grants the last request', 5, earlier(4), ...inNovember, 1, 1, 5],
  ['grants nothing once the limit is reached', 5, earlier(5), ...inNovember, 3, 0, 5],
  ['grants nothing while more is used than a lowered limit allows', 5, earlier(8), ...inNovember, 1, 0, 8],
  ['grants nothing under a limit of zero', 0, undefined, ...inNovember, 2, 0, 0],
  ['grants everything without a limit', null, earlier(3), ...inNovember, 4, 4, 7],
  ['counts up to the last millisecond of the month', 5, earlier(5), lastOfNovember, ...november, 1, 0, 5],
  ['starts the next month at zero', 5, justBefore, firstOfDecember, ...december, 7, 5, 5],
  ['starts the next month at zero without a limit', null, justBefore, firstOfDecember, ...december, 7, 7, 7],
  ['starts a month months later at zero', 5, justBefore, ...muchLater, 2, 2, 2],
  [
    'keeps the later month when the clock was set back',
    5,
    early,
    '2026-11-30T23:59:59.500Z',
    ...december,
    3,
    1,
    5,
  ],
  ['ends February of a leap year on the 29th', 5, leap, '2028-02-29T23:59:59.999Z', ...february, 1, 0, 5],
  ['starts a month with the year', 5, { used: 5, at: '2026-12-31T23:59:59.999Z' }, ...newYear, 1, 1, 1],
];

const shorter = [
  ['second', '2026-11-21T03:00:00.000Z', '2026-11-21T03:00:01.000Z', '2026-11-21T03:00:02.000Z'],
  ['minute', '2026-11-21T03:00:00.000Z', '2026-11-21T03:01:00.000Z', '2026-11-21T03:02:00.000Z'],
  ['hour', '2026-11-21T03:00:00.000Z', '2026-11-21T04:00:00.000Z', '2026-11-21T05:00:00.000Z'],
  ['day', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
] as const;

const shorterWindows = shorter.flatMap(([window, from, to, next]) => {
  const lastMs = new Date(at(to) - 1).toISOString();
  const ofMonth = { used: 3, at: from, window: 'month' } as const;
  const rows: readonly Row[] = [
    [
      `counts up to the last millisecond of the ${window}`,
      5,
      { used: 3, at: from },
      lastMs,
      from,
      to,
      4,
      2,
      5,
      5,
    ],
    [
      `starts the next ${window} at zero, and goes on in the month`,
      2,
      { used: 2, at: lastMs },
      to,
      to,
      next,
      3,
      2,
      2,
      4,
    ],
    [
      `keeps the later ${window} when the clock was set back`,
      2,
      { used: 2, at: to },
      lastMs,
      to,
      next,
      1,
      0,
      2,
      2,
    ],
    [`starts at zero when the limit is changed to one per ${window}`, 5, ofMonth, from, from, to, 6, 5, 5, 8],
  ];
  return rows.map((row) => caseOf(window, row));
});

const firstDay = ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z'] as const;
const before = { used: 4, at: lastOfNovember };
const after = { used: 4, at: firstOfDecember };
const bothBoundaries: readonly Row[] = [
  ['starts a day and a month at zero', 10, before, firstOfDecember, ...firstDay, 3, 3, 3, 3],
  [
    'keeps the later day and month when the clock was set back',
    10,
    after,
    lastOfNovember,
    ...firstDay,
    3,
    3,
    7,
    7,
  ],
];

/** The quota rule as a table, for `src/quota/decide.ts` and for the ledger of each database. */
export const quotaCases: readonly QuotaCase[] = [
  ...months.map((row) => caseOf('month', row)),
  ...shorterWindows,
  ...bothBoundaries.map((row) => caseOf('day', row)),
];
