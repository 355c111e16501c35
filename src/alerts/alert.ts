import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { LimitUnit } from '../quota/limit.ts';
import type { QuotaLimit } from '../quota/tiers.ts';
import type { WindowKind } from '../quota/window.ts';
import type { NoticeMessage } from './notice.ts';

/** The alerts that an organization wants. */
export interface AlertSettings {
  /** Percentages of the limit, ascending. */
  readonly thresholds: readonly number[];
  /** Whether to send an alert when the forecast says that the quota will run out before its reset. */
  readonly projection: boolean;
}

export const defaultSettings: AlertSettings = { thresholds: [50, 80, 90, 100], projection: true };

/** An alert. Times are in milliseconds since the Unix epoch. */
export interface Alert {
  readonly alertId: string;
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection';
  /** Percent; 0 for a projection. */
  readonly threshold: number;
  readonly window: WindowKind;
  readonly windowStartMs: number;
  /** `limit` and `used` at the time the alert was raised. */
  readonly limit: number;
  readonly used: number;
  /** The time at which the forecast expects the quota to run out. */
  readonly exhaustsAtMs: number | null;
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
  /** Returns false, and changes nothing, if the organization does not exist. */
  setSettings(orgId: string, settings: AlertSettings): Promise<boolean>;
  /** Returns the settings of those organizations that have changed the defaults. */
  settingsOf(orgIds: readonly string[]): Promise<Map<string, AlertSettings>>;
  /**
   * Stores the alerts, each with a delivery of its message to every channel of the organization, in one transaction.
   * Skips alerts whose window already has one of that kind and threshold, and returns the ids of the others.
   */
  raise(raised: readonly Raised[]): Promise<string[]>;
  /** `status` null: all alerts. */
  list(orgId: string, status: AlertStatus | null, page: PageRequest): Promise<Page<Alert>>;
  /** Only the first acknowledgement is kept. Undefined: no such alert. */
  acknowledge(orgId: string, alertId: string, by: string, nowMs: number): Promise<Alert | undefined>;
  /** Returns the windows in which anything was counted, in the order of their organizations. */
  countedWindows(asked: WindowsAsked): Promise<CountedWindow[]>;
  /** Deletes some of the alerts raised before `raisedBeforeMs`. Returns whether there may be more. */
  prune(raisedBeforeMs: number): Promise<boolean>;
}

/** Shorter windows reset too quickly for alerts. */
export const alertedWindows: readonly WindowKind[] = ['month', 'day'];
