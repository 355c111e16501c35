import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { LimitUnit } from '../quota/limit.ts';
import type { QuotaLimit } from '../quota/tiers.ts';
import type { WindowKind } from '../quota/window.ts';
import type { NoticeMessage } from './notice.ts';

/** The alerts that an organization wants. */
export interface AlertSettings {
  /** Percentages of the quota, ascending. */
  readonly thresholds: readonly number[];
  /** Percentages of the other limits per day and month: of the organization, its keys and its members. */
  readonly limitThresholds: readonly number[];
  /** Whether to send an alert when a key is about to expire. See `keyExpiryMs`. */
  readonly keyExpiry: boolean;
  /** Whether to send an alert when the forecast says that the quota will run out before its reset. */
  readonly projection: boolean;
}

export const defaultSettings: AlertSettings = {
  thresholds: [50, 80, 90, 100],
  limitThresholds: [],
  keyExpiry: true,
  projection: true,
};

/** How long before a key expires it causes an alert, if it was made for longer. */
export const keyExpiryMs = 14 * 86_400_000;

/** What an alert is about. All null: the quota. */
export interface AlertSubject {
  /** The limit, of a key, a member or the organization. */
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
  readonly unit: LimitUnit;
  readonly startMs: number;
  readonly used: number;
  /** Undefined: the defaults. */
  readonly settings: AlertSettings | undefined;
  readonly raised: readonly Pick<Alert, 'kind' | 'threshold'>[];
}

/** A row of the ledger in the current period, and the organizations to read: one of them, or the next ones. */
export interface WindowsAsked {
  readonly window: WindowKind;
  readonly unit: LimitUnit;
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

export interface AlertStore {
  settings(orgId: string): Promise<AlertSettings | undefined>;
  /** Returns the settings with the changes; null, and changes nothing, if the organization does not exist. */
  setSettings(orgId: string, changes: Partial<AlertSettings>): Promise<AlertSettings | null>;
  /** Returns the settings of those organizations that have changed the defaults. */
  settingsOf(orgIds: readonly string[]): Promise<Map<string, AlertSettings>>;
  /**
   * Stores the alerts, each with a delivery of its message to every channel of the organization, in one transaction.
   * Skips alerts whose fact already has one of that kind and threshold, and returns the ids of the others.
   */
  raise(raised: readonly Raised[]): Promise<string[]>;
  /** `status` null: all alerts. */
  list(orgId: string, status: AlertStatus | null, page: PageRequest): Promise<Page<Alert>>;
  /** Only the first acknowledgement is kept. Returns those of the alerts that exist. */
  acknowledge(orgId: string, alertIds: readonly string[], by: string, nowMs: number): Promise<Alert[]>;
  /** Returns the windows in which anything was counted, in the order of their organizations. */
  countedWindows(asked: WindowsAsked): Promise<CountedWindow[]>;
  /** Returns keys that are about to expire, with or without an alert, in the order of their ends. */
  expiringKeys(asked: ExpiringAsked): Promise<ExpiringKey[]>;
  /** Deletes some of the alerts raised before `raisedBeforeMs`. Returns whether there may be more. */
  prune(raisedBeforeMs: number): Promise<boolean>;
}

/** Shorter windows reset too quickly for alerts. */
export const alertedWindows: readonly WindowKind[] = ['month', 'day'];
