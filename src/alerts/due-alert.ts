import { isoTime } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { percentUsed, type Standing } from '../quota/decide.ts';
import type { Projection } from '../usage/projection.ts';
import {
  type Alert,
  type AlertSettings,
  type AlertSubject,
  type ExpiringKey,
  factOf,
  type Raised,
} from './alert.ts';
import { type NoticeMessage, newNotice } from './notice.ts';

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

/** Returns the alert to raise now, and its message. */
export function raisedAt(nowMs: number, due: DueAlert): Raised {
  const { orgId, kind, subject = theQuota } = due;
  const alert: Alert = {
    alertId: newId(),
    orgId,
    kind,
    ...subject,
    ...factsOf(due, subject),
    raisedAtMs: nowMs,
    acknowledgedAtMs: null,
    acknowledgedBy: null,
  };
  return { alert, message: alertMessage(alert, due) };
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
