import { unavailable } from '../errors.ts';
import { type Standing, standingAmong, type WindowRow } from '../quota/decide.ts';
import type { QuotaLimit, Tiers } from '../quota/tiers.ts';
import { dayOf } from '../quota/window.ts';
import type { Period } from './period.ts';
import type { Pace } from './projection.ts';

/**
 * What usage is counted in. `counted`, `countedTexts`, `countedTokens` and `cost`: what the ledger has counted, which it
 * writes in the transaction that decides. `truncated`: texts that were cut.
 */
export const usageFigures = [
  ...(['counted', 'cached', 'failed'] as const),
  ...(['texts', 'countedTexts', 'tokens', 'countedTokens', 'truncated', 'cost'] as const),
] as const;

/** The names of the figures in files and tables. */
export const figureNames = usageFigures.map((figure) =>
  figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

export type UsageTotals = Readonly<Record<(typeof usageFigures)[number], number>>;

/** Usage of one key and model on one day, or in one hour. */
export interface UsageRow extends UsageTotals {
  readonly keyId: string;
  /** Days, or hours, since the Unix epoch. */
  readonly day: number;
  /** Empty for requests that failed before they named a served model. */
  readonly model: string;
}

/** Whether a request was ever counted or cached, whether a person has sent one, the newest in the log, and the open alerts. */
export interface Activity {
  readonly hasRequests: boolean;
  readonly hasOwnRequests: boolean;
  readonly lastRequestAt: number | null;
  readonly openAlerts: number;
  readonly lastAlertAt: number | null;
}

/** Days, or the month that the ledger currently counts in. */
export type ReportedDays = Period | 'month';

/** The ids of keys, and of users who sent requests with a session. Null: all. */
export type Senders = readonly string[] | null;

export interface UsageOfSenders {
  readonly days: ReportedDays;
  readonly keyIds: Senders;
}

export interface SnapshotQuestion {
  readonly byKey: readonly ReportedDays[];
  readonly byDay: readonly UsageOfSenders[];
  /** Default: none. */
  readonly byModel?: readonly UsageOfSenders[];
  readonly pace: boolean;
}

/** The state of the database at one moment; `byKey`, `byDay` and `byModel` are in the order of the question. */
export interface UsageSnapshot {
  /** The database's time. */
  readonly nowMs: number;
  /** The month that the ledger counts in. Later than the month of `nowMs` if the clock was set back. */
  readonly monthStartMs: number;
  readonly tier: string;
  readonly custom: QuotaLimit | null;
  readonly windows: readonly (WindowRow & { readonly kind: string })[];
  readonly byKey: readonly KeyTotals[][];
  readonly byDay: readonly DayTotals[][];
  readonly byModel: readonly ModelTotals[][];
  readonly pace: Pace | null;
}

/** Returns a snapshot from `reader`. Throws `unavailable` when the database fails. */
export function readSnapshot(
  reader: { snapshot(orgId: string, question: SnapshotQuestion): Promise<UsageSnapshot | undefined> },
  orgId: string,
  question: SnapshotQuestion,
): Promise<UsageSnapshot | undefined> {
  return reader.snapshot(orgId, question).catch((reason) => {
    throw unavailable(reason);
  });
}

/** Returns the organization's standing at the time of the snapshot. */
export function standingIn(snapshot: UsageSnapshot, tiers: Tiers): Standing {
  const limit = tiers.limitOf(snapshot.tier, snapshot.custom);
  return standingAmong(snapshot.windows, limit, snapshot.nowMs);
}

export type OrganizationTotals = UsageTotals &
  Readonly<Record<'orgId' | 'name' | 'tier', string>> & { readonly externalId: string | null };

/** The requests with a result of one day. */
export interface RequestsOfDay {
  readonly day: number;
  readonly requests: number;
}

/** Returns the requests of each of the days. */
export function seriesOf(rows: readonly RequestsOfDay[], days: readonly number[]): number[] {
  const byDay = new Map(rows.map(({ day, requests }) => [day, requests]));
  return days.map((day) => byDay.get(day) ?? 0);
}

/** Returns the last `count` days including today, oldest first. */
export function lastDays(nowMs: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => dayOf(nowMs) - count + 1 + i);
}

export type KeyTotals = UsageTotals & { readonly keyId: string };
export type ModelTotals = UsageTotals & { readonly model: string };
export type CallerTotals = KeyTotals &
  ModelTotals & {
    readonly orgId: string;
    readonly orgName: string;
    /** Null: not an existing key. */
    readonly keyName: string | null;
    /** The last day with usage. */
    readonly lastDay: number;
  };
export type DayTotals = UsageTotals & { readonly day: number };

export interface MonthReport {
  readonly totals: UsageTotals;
  readonly byKey: readonly KeyTotals[];
}

export const noUsage = Object.fromEntries(usageFigures.map((figure) => [figure, 0])) as UsageTotals;

export function monthReportOf(byKey: readonly KeyTotals[]): MonthReport {
  return { byKey, totals: byKey.reduce<UsageTotals>(addTotals, noUsage) };
}

export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
  const sums = usageFigures.map((figure) => [figure, a[figure] + b[figure]]);
  return Object.fromEntries(sums) as UsageTotals;
}
