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

const november = { startsAt: '2026-11-01T00:00:00Z', resetsAt: '2026-12-01T00:00:00Z' };
const december = { startsAt: '2026-12-01T00:00:00Z', resetsAt: '2027-01-01T00:00:00Z' };
const perMonth = { window: 'month', now: '2026-11-21T03:00:00Z', ...november } as const;
const lastOfNovember = '2026-11-30T23:59:59.999Z';
const earlier = (used: number) => ({ used, at: '2026-11-01T00:00:00.000Z' });

const months: readonly QuotaCase[] = [
  { name: 'grants the first request', limit: 5, ...perMonth, asks: 1, granted: 1, used: 1 },
  { name: 'grants what is left', limit: 5, before: earlier(3), ...perMonth, asks: 4, granted: 2, used: 5 },
  {
    name: 'grants the last request',
    limit: 5,
    before: earlier(4),
    ...perMonth,
    asks: 1,
    granted: 1,
    used: 5,
  },
  {
    name: 'grants nothing once the limit is reached',
    limit: 5,
    before: earlier(5),
    ...perMonth,
    asks: 3,
    granted: 0,
    used: 5,
  },
  {
    name: 'grants nothing while more is used than a lowered limit allows',
    limit: 5,
    before: earlier(8),
    ...perMonth,
    asks: 1,
    granted: 0,
    used: 8,
  },
  { name: 'grants nothing under a limit of zero', limit: 0, ...perMonth, asks: 2, granted: 0, used: 0 },
  {
    name: 'grants everything without a limit',
    limit: null,
    before: earlier(3),
    ...perMonth,
    asks: 4,
    granted: 4,
    used: 7,
  },
  {
    name: 'counts up to the last millisecond of the month',
    limit: 5,
    before: earlier(5),
    ...perMonth,
    now: lastOfNovember,
    asks: 1,
    granted: 0,
    used: 5,
  },
  {
    name: 'starts the next month at zero',
    limit: 5,
    before: { used: 5, at: lastOfNovember },
    ...perMonth,
    now: '2026-12-01T00:00:00.000Z',
    ...december,
    asks: 7,
    granted: 5,
    used: 5,
  },
  {
    name: 'starts the next month at zero without a limit',
    limit: null,
    before: { used: 5, at: lastOfNovember },
    ...perMonth,
    now: '2026-12-01T00:00:00.000Z',
    ...december,
    asks: 7,
    granted: 7,
    used: 7,
  },
  {
    name: 'starts a month months later at zero',
    limit: 5,
    before: { used: 5, at: lastOfNovember },
    ...perMonth,
    now: '2027-02-10T12:00:00Z',
    asks: 2,
    granted: 2,
    used: 2,
    startsAt: '2027-02-01T00:00:00Z',
    resetsAt: '2027-03-01T00:00:00Z',
  },
  {
    name: 'keeps the later month when the clock was set back',
    limit: 5,
    before: { used: 4, at: '2026-12-01T00:00:00.500Z' },
    ...perMonth,
    now: '2026-11-30T23:59:59.500Z',
    ...december,
    asks: 3,
    granted: 1,
    used: 5,
  },
  {
    name: 'ends February of a leap year on the 29th',
    limit: 5,
    before: { used: 5, at: '2028-02-01T00:00:00Z' },
    ...perMonth,
    now: '2028-02-29T23:59:59.999Z',
    startsAt: '2028-02-01T00:00:00Z',
    resetsAt: '2028-03-01T00:00:00Z',
    asks: 1,
    granted: 0,
    used: 5,
  },
  {
    name: 'starts a month with the year',
    limit: 5,
    before: { used: 5, at: '2026-12-31T23:59:59.999Z' },
    ...perMonth,
    now: '2027-01-01T00:00:00Z',
    startsAt: '2027-01-01T00:00:00Z',
    resetsAt: '2027-02-01T00:00:00Z',
    asks: 1,
    granted: 1,
    used: 1,
  },
];

const shorter = [
  {
    window: 'second',
    from: '2026-11-21T03:00:00.000Z',
    to: '2026-11-21T03:00:01.000Z',
    next: '2026-11-21T03:00:02.000Z',
  },
  {
    window: 'minute',
    from: '2026-11-21T03:00:00.000Z',
    to: '2026-11-21T03:01:00.000Z',
    next: '2026-11-21T03:02:00.000Z',
  },
  {
    window: 'hour',
    from: '2026-11-21T03:00:00.000Z',
    to: '2026-11-21T04:00:00.000Z',
    next: '2026-11-21T05:00:00.000Z',
  },
  {
    window: 'day',
    from: '2026-11-21T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    next: '2026-11-23T00:00:00.000Z',
  },
] as const;

const shorterWindows = shorter.flatMap(({ window, from, to, next }): QuotaCase[] => {
  const lastMs = new Date(at(to) - 1).toISOString();
  return [
    {
      name: `counts up to the last millisecond of the ${window}`,
      limit: 5,
      window,
      before: { used: 3, at: from },
      now: lastMs,
      startsAt: from,
      resetsAt: to,
      asks: 4,
      granted: 2,
      used: 5,
      monthUsed: 5,
    },
    {
      name: `starts the next ${window} at zero, and goes on in the month`,
      limit: 2,
      window,
      before: { used: 2, at: lastMs },
      now: to,
      startsAt: to,
      resetsAt: next,
      asks: 3,
      granted: 2,
      used: 2,
      monthUsed: 4,
    },
    {
      name: `keeps the later ${window} when the clock was set back`,
      limit: 2,
      window,
      before: { used: 2, at: to },
      now: lastMs,
      startsAt: to,
      resetsAt: next,
      asks: 1,
      granted: 0,
      used: 2,
      monthUsed: 2,
    },
    {
      name: `starts at zero when the limit is changed to one per ${window}`,
      limit: 5,
      window,
      before: { used: 3, at: from, window: 'month' },
      now: from,
      startsAt: from,
      resetsAt: to,
      asks: 6,
      granted: 5,
      used: 5,
      monthUsed: 8,
    },
  ];
});

const bothBoundaries: readonly QuotaCase[] = [
  {
    name: 'starts a day and a month at zero',
    limit: 10,
    window: 'day',
    before: { used: 4, at: lastOfNovember },
    now: '2026-12-01T00:00:00.000Z',
    startsAt: '2026-12-01T00:00:00Z',
    resetsAt: '2026-12-02T00:00:00Z',
    asks: 3,
    granted: 3,
    used: 3,
    monthUsed: 3,
  },
  {
    name: 'keeps the later day and month when the clock was set back',
    limit: 10,
    window: 'day',
    before: { used: 4, at: '2026-12-01T00:00:00.000Z' },
    now: lastOfNovember,
    startsAt: '2026-12-01T00:00:00Z',
    resetsAt: '2026-12-02T00:00:00Z',
    asks: 3,
    granted: 3,
    used: 7,
    monthUsed: 7,
  },
];

/** The quota rule as a table, for `src/quota/decide.ts` and for the ledger of each database. */
export const quotaCases: readonly QuotaCase[] = [...months, ...shorterWindows, ...bothBoundaries];
