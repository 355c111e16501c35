import { PagedList } from '../lib/paged-list.ts';
import type { CountedUnit } from '../quota/limit.ts';
import type { QuotaLimit } from '../quota/tiers.ts';
import { type WindowKind, windowAt } from '../quota/window.ts';
import type { NoticeMessage } from './notice.ts';

/** The alerts that an organization wants. */
export interface AlertSettings {
  /** Percentages of the quota, ascending. */
  readonly thresholds: readonly number[];
  /** Percentages of the other limits per day and month: of the organization, its keys and its users. */
  readonly limitThresholds: readonly number[];
  /** Whether to send an alert when a key is about to expire. See `keyExpiryMs`. */
  readonly keyExpiry: boolean;
  /** Whether to send an alert when the forecast says that the quota will run out before its reset. */
  readonly projection: boolean;
  /** Percentages of the quota that the tier adds, whatever the organization wants. */
  readonly tierThresholds: readonly number[];
}

export const defaultSettings: Omit<AlertSettings, 'tierThresholds'> = {
  thresholds: [50, 80, 90, 100],
  limitThresholds: [],
  keyExpiry: true,
  projection: true,
};

/** Returns the percentages of the quota at which alerts are raised, ascending. */
export const thresholdsOf = ({ thresholds, tierThresholds }: AlertSettings): number[] =>
  [...new Set([...thresholds, ...tierThresholds])].toSorted((a, b) => a - b);

/** Reports whether an organization or a tier can have these thresholds. */
export const areThresholds = (given: readonly unknown[]): given is readonly number[] =>
  given.length <= 10 &&
  given.every((percent) => Number.isInteger(percent) && 1 <= Number(percent) && Number(percent) <= 100);
export const thresholdsRule = 'at most 10 whole numbers from 1 to 100';

/** How long before a key expires it causes an alert, if it was made for longer. */
export const keyExpiryMs = 14 * 86_400_000;

/** What an alert is about. All null: the quota. */
export interface AlertSubject {
  /** The limit, of a key, a user or the organization. */
  readonly limitId: string | null;
  readonly keyId: string | null;
  readonly userId: string | null;
  /** The name of the key, or the address of the member. */
  readonly name: string | null;
}

/** An alert. Times are in milliseconds since the Unix epoch. */
export interface Alert extends AlertSubject {
  readonly alertId: string;
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection' | 'key_expiry';
  /** Identifies what has happened: one fact has one open alert. See `factOf`. */
  readonly fact: string;
  /** Percent; otherwise 0. */
  readonly threshold: number;
  /** Null, as the next three are, for the end of a key. */
  readonly window: WindowKind | null;
  readonly windowStartMs: number | null;
  /** `limit` and `used` at the time the alert was raised. */
  readonly limit: number | null;
  readonly used: number | null;
  /** The time at which the forecast expects the quota to run out. */
  readonly exhaustsAtMs: number | null;
  /** When the key ends. Null: the alert is about a limit. */
  readonly expiresAtMs: number | null;
  readonly raisedAtMs: number;
  readonly acknowledgedAtMs: number | null;
  /** The id of the user or the key. */
  readonly acknowledgedBy: string | null;
}

/** An organization's counter in one window, as the ledger keeps it, and the alerts raised for that window. */
export interface CountedWindow {
  readonly orgId: string;
  /** Null: the organization is being deleted. */
  readonly tier: string | null;
  readonly custom: QuotaLimit | null;
  readonly window: WindowKind;
  readonly unit: CountedUnit;
  readonly startMs: number;
  readonly used: number;
  readonly settings: AlertSettings;
  readonly raised: readonly Pick<Alert, 'kind' | 'threshold'>[];
}

/** A row of the ledger in the current period, and the organizations to read: one of them, or the next ones. */
export interface WindowsAsked {
  readonly window: WindowKind;
  readonly unit: CountedUnit;
  readonly startMs: number;
  readonly of: { readonly orgId: string } | { readonly after: string; readonly limit: number };
}

/** A key that is in use: neither revoked nor paused, and not replaced by another one. */
export interface ExpiringKey {
  readonly orgId: string;
  readonly keyId: string;
  readonly name: string;
  readonly expiresAt: number;
}

/** The keys after a place, that end until a time and were made for longer than `keyExpiryMs`. */
export interface ExpiringAsked {
  readonly after: { readonly expiresAt: number; readonly keyId: string };
  readonly untilMs: number;
  readonly limit: number;
}

/** Returns the fact that an alert is about: a window of the quota or of a limit, or the expiry of a key. */
export const factOf = (of: string, atMs: number): string => `${of} ${atMs}`;

/** Reports whether the alert's window has not passed yet, or its key not ended. */
export function isCurrent({ window, windowStartMs, expiresAtMs }: Alert, nowMs: number): boolean {
  if (window === null || windowStartMs === null) return nowMs < (expiresAtMs ?? 0);
  return windowAt(window, nowMs).startMs <= windowStartMs;
}

export interface Raised {
  readonly alert: Alert;
  readonly message: NoticeMessage;
}

export const alertList = new PagedList('alerts', {
  orders: { created: 'number' },
  defaultSort: '-created',
});

/** `open`: nobody has acknowledged the alert. */
export const alertStatuses = ['open', 'acknowledged'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** Shorter windows reset too quickly for alerts. */
export const alertedWindows: readonly WindowKind[] = ['month', 'day'];
