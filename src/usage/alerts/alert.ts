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
  /**
   * Keeps the alert, and with it a delivery of the message to each target of the organization: both or neither. False, and nothing
   * is done, when its window has one of that kind and threshold already.
   */
  raise(alert: Alert, message: AlertMessage): Promise<boolean>;
  /** Newest first. */
  list(orgId: string, limit: number): Promise<Alert[]>;
  /** The first to acknowledge stays. Undefined: there is no such alert. */
  acknowledge(orgId: string, alertId: string, by: string, nowMs: number): Promise<Alert | undefined>;
  /** The months and days at `nowMs`, or later, in which anything was counted, of all organizations. */
  countedWindows(nowMs: number): Promise<CountedWindow[]>;
  /** Forgets alerts that were raised before. */
  prune(raisedBeforeMs: number): Promise<void>;
}

/** Windows shorter than a day come and go too fast to tell anybody. */
export const alertedWindows: readonly WindowKind[] = ['month', 'day'];
