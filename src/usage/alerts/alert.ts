import type { Limit } from '../../quota/tiers.ts';
import type { WindowKind } from '../../quota/window.ts';
import type { NoticeType } from '../notifiers/notice.ts';

/** What an organization wants to be told of. */
export interface AlertSettings {
  /** Percents of the limit, ascending. */
  readonly thresholds: readonly number[];
  /** Whether to tell when the quota will end before its reset. */
  readonly projection: boolean;
}

export const defaultSettings: AlertSettings = { thresholds: [50, 80, 90, 100], projection: true };

/** Times in milliseconds since the Unix epoch. */
export interface Alert {
  readonly alertId: string;
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection';
  /** Percent; 0 for a projection. */
  readonly threshold: number;
  readonly window: WindowKind;
  readonly windowStartMs: number;
  /** As they were when it was raised. */
  readonly limit: number;
  readonly used: number;
  /** When the quota was projected to end. */
  readonly exhaustsAtMs: number | null;
  readonly raisedAtMs: number;
  readonly acknowledgedAtMs: number | null;
  /** The user or the key that did it. */
  readonly acknowledgedBy: string | null;
}

/** An organization's counter in one window, as the ledger keeps it, and what was raised about that window. */
export interface CountedWindow {
  readonly orgId: string;
  readonly tier: string;
  readonly custom: Limit | null;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly used: number;
  /** Undefined: the defaults. */
  readonly settings: AlertSettings | undefined;
  readonly raised: readonly Pick<Alert, 'kind' | 'threshold'>[];
}

/** `lastOrgId` null: there are no further organizations. */
export interface CountedWindows {
  readonly windows: readonly CountedWindow[];
  readonly lastOrgId: string | null;
}

export interface Raised {
  readonly alert: Alert;
  readonly message: AlertMessage;
}

/** What targets are sent. `payload` is JSON, `messageId` the same for all of them. */
export interface AlertMessage {
  readonly messageId: string;
  readonly type: NoticeType;
  readonly payload: string;
}

export interface AlertStore {
  settings(orgId: string): Promise<AlertSettings | undefined>;
  /** Returns false, and changes nothing, when the organization does not exist. */
  setSettings(orgId: string, settings: AlertSettings): Promise<boolean>;
  /** Settings of those of the organizations that have changed the defaults. */
  settingsOf(orgIds: readonly string[]): Promise<Map<string, AlertSettings>>;
  /**
   * Keeps the alerts, and with each a delivery of its message to each target of the organization: all or nothing. Leaves out those whose window has
   * one of that kind and threshold already, and returns the ids of the others.
   */
  raise(raised: readonly Raised[]): Promise<string[]>;
  /** Newest first. */
  list(orgId: string, limit: number): Promise<Alert[]>;
  /** The first to acknowledge stays. Undefined: there is no such alert. */
  acknowledge(orgId: string, alertId: string, by: string, nowMs: number): Promise<Alert | undefined>;
  /** The months and days at `nowMs`, or later, in which anything was counted, of the `limit` organizations after `afterOrgId`. */
  countedWindows(nowMs: number, afterOrgId: string, limit: number): Promise<CountedWindows>;
  /**
   * Forgets the alerts that were raised before, of the next organizations after `afterOrgId`. Returns the organization after which to go on; null when
   * there are no more.
   */
  prune(raisedBeforeMs: number, afterOrgId: string): Promise<string | null>;
}

/** Windows shorter than a day come and go too fast to tell anybody. */
export const alertedWindows: readonly WindowKind[] = ['month', 'day'];
