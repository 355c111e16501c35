import { invalidField, notFound } from '../errors.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { percentUsed, type Standing } from '../quota/decide.ts';
import { windowAt } from '../quota/window.ts';
import type { Projection } from '../usage/projection.ts';
import {
  type Alert,
  type AlertSettings,
  type AlertStatus,
  type AlertStore,
  type AlertSubject,
  alertList,
  defaultSettings,
  type ExpiringKey,
  factOf,
  type Raised,
} from './alert.ts';
import { type NoticeMessage, newNotice } from './notice.ts';

const maxThresholds = 10;

/** An alert that is to be raised for a standing, or for the end of a key. */
export type DueAlert = {
  readonly orgId: string;
  /** Undefined: the quota. */
  readonly subject?: AlertSubject;
} & (
  | {
      readonly kind: 'threshold' | 'projection';
      /** Percent; 0 for a projection. */
      readonly threshold: number;
      readonly standing: Standing;
      readonly exhaustsAtMs: number | null;
    }
  | { readonly kind: 'key_expiry'; readonly keyId: string; readonly expiresAtMs: number }
);

const theQuota: AlertSubject = { limitId: null, keyId: null, userId: null, name: null };

/** Manages the alerts about organizations' quotas, and the alert settings. */
export class Alerts {
  readonly #store: AlertStore;
  readonly #clock: Clock;

  constructor(store: AlertStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async settings(orgId: string): Promise<AlertSettings> {
    return (await this.#store.settings(orgId)) ?? defaultSettings;
  }

  /** Changes the settings for alerts raised from now on. Throws `invalid_request` and `not_found`. */
  async setSettings(orgId: string, changes: Partial<AlertSettings>): Promise<AlertSettings> {
    const { thresholds, limitThresholds } = changes;
    const settings = await this.#store.setSettings(orgId, {
      ...changes,
      ...(thresholds && { thresholds: validThresholds('thresholds', thresholds) }),
      ...(limitThresholds && { limitThresholds: validThresholds('limit_thresholds', limitThresholds) }),
    });
    if (!settings) throw notFound('No such organization');
    return settings;
  }

  /**
   * Raises alerts in one transaction, each once for its fact. If that fails, raises them one by one, so that an
   * organization deleted in the meantime does not prevent the others' alerts. Returns how many were raised.
   */
  async raiseAll(due: readonly DueAlert[], onError: (reason: unknown) => void): Promise<number> {
    if (due.length === 0) return 0;
    const raised = due.map((alert) => this.#raised(alert));
    try {
      return (await this.#store.raise(raised)).length;
    } catch (reason) {
      if (raised.length === 1) throw reason;
    }
    let count = 0;
    for (const one of raised) count += (await this.#store.raise([one]).catch(failed)).length;
    return count;

    function failed(reason: unknown): string[] {
      onError(reason);
      return [];
    }
  }

  /** Returns a function that looks up the settings of these organizations. */
  async settingsOf(orgIds: readonly string[]): Promise<(orgId: string) => AlertSettings> {
    const changed = await this.#store.settingsOf(orgIds);
    return (orgId) => changed.get(orgId) ?? defaultSettings;
  }

  /** Returns a page of an organization's alerts. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery & { status?: AlertStatus | undefined }): Promise<Page<Alert>> {
    const { status = null } = query;
    return this.#store.list(orgId, status, alertList.request(query, [orgId, status]));
  }

  /** Acknowledges alerts, and returns those that exist. `by` is the id of the user or the key. */
  acknowledge(orgId: string, alertIds: readonly string[], by: string): Promise<Alert[]> {
    return this.#store.acknowledge(orgId, alertIds, by, this.#clock.now());
  }

  #raised(due: DueAlert): Raised {
    const { orgId, kind, subject = theQuota } = due;
    const alert: Alert = {
      alertId: newId(),
      orgId,
      kind,
      ...subject,
      ...factsOf(due, subject),
      raisedAtMs: this.#clock.now(),
      acknowledgedAtMs: null,
      acknowledgedBy: null,
    };
    return { alert, message: alertMessage(alert, due) };
  }

  /** Reports whether the alert's window has not passed yet, or its key not ended. */
  isCurrent({ window, windowStartMs, expiresAtMs }: Alert): boolean {
    const nowMs = this.#clock.now();
    if (window === null || windowStartMs === null) return nowMs < (expiresAtMs ?? 0);
    return windowAt(window, nowMs).startMs <= windowStartMs;
  }
}

function validThresholds(field: string, given: readonly number[]): number[] {
  const thresholds = [...new Set(given)].sort((a, b) => a - b);
  const isWrong = thresholds.some((percent) => !Number.isInteger(percent) || percent < 1 || percent > 100);
  if (!isWrong && thresholds.length <= maxThresholds) return thresholds;
  throw invalidField(field, `${field} must be at most ${maxThresholds} whole numbers from 1 to 100`);
}

/** Returns what an alert says. */
function factsOf(due: DueAlert, { limitId }: AlertSubject) {
  if (due.kind === 'key_expiry') {
    const { keyId, expiresAtMs } = due;
    const noWindow = { window: null, windowStartMs: null, limit: null, used: null, exhaustsAtMs: null };
    return { ...noWindow, threshold: 0, expiresAtMs, fact: factOf(keyId, expiresAtMs) };
  }
  const { threshold, standing, exhaustsAtMs } = due;
  const { window, startMs: windowStartMs, used } = standing;
  return {
    threshold,
    window,
    windowStartMs,
    used,
    exhaustsAtMs,
    expiresAtMs: null,
    limit: standing.limit ?? 0,
    fact: factOf(limitId ?? window, windowStartMs),
  };
}

function alertMessage(alert: Alert, due: DueAlert): NoticeMessage {
  const { limitId, keyId, userId, name } = alert;
  const data = {
    alert_id: alert.alertId,
    org_id: alert.orgId,
    ...(limitId !== null && { limit_id: limitId }),
    ...(keyId !== null && { key_id: keyId }),
    ...(userId !== null && { user_id: userId }),
    ...(name !== null && { name }),
  };
  if (due.kind === 'key_expiry')
    return newNotice('key.expires_soon', { ...data, expires_at: isoTime(due.expiresAtMs) }, alert.raisedAtMs);
  const { limit, used, unit, window, startMs, resetsAtMs } = due.standing;
  const of = limitId === null ? 'quota' : 'limit';
  const standing = {
    limit: limit ?? 0,
    used,
    unit,
    window,
    window_start: isoTime(startMs),
    resets_at: isoTime(resetsAtMs),
    ...(due.kind === 'threshold' && { threshold: due.threshold }),
    ...(due.exhaustsAtMs !== null && { exhausts_at: isoTime(due.exhaustsAtMs) }),
  };
  const type = due.kind === 'threshold' ? (`${of}.threshold_reached` as const) : 'quota.exhaustion_projected';
  return newNotice(type, { ...data, ...standing }, alert.raisedAtMs);
}

/** Returns an alert for each threshold that is reached, lowest first. */
export function dueThresholds(orgId: string, standing: Standing, thresholds: readonly number[]): DueAlert[] {
  const percent = percentUsed(standing);
  return thresholds
    .filter((threshold) => threshold <= percent)
    .map((threshold) => ({ orgId, kind: 'threshold', threshold, standing, exhaustsAtMs: null }));
}

/** Returns the alert that a key is about to expire. */
export function dueExpiry({ orgId, keyId, name, expiresAt }: ExpiringKey): DueAlert {
  return { orgId, kind: 'key_expiry', keyId, expiresAtMs: expiresAt, subject: { ...theQuota, keyId, name } };
}

/** Returns an alert if the forecast says that the quota will run out before its reset, and it has not run out yet. */
export function dueProjection(
  orgId: string,
  standing: Standing,
  projection: Projection | null,
  settings: AlertSettings,
): DueAlert | undefined {
  const exhaustsAtMs = projection?.exhaustsAtMs ?? null;
  if (!settings.projection || exhaustsAtMs === null || percentUsed(standing) >= 100) return undefined;
  return { orgId, kind: 'projection', threshold: 0, standing, exhaustsAtMs };
}
