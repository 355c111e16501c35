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
  alertList,
  defaultSettings,
  type Raised,
} from './alert.ts';
import { type NoticeMessage, newNotice } from './notice.ts';

const maxThresholds = 10;

/** An alert that is to be raised for a standing. */
export interface DueAlert {
  readonly orgId: string;
  readonly kind: 'threshold' | 'projection';
  /** Percent; 0 for a projection. */
  readonly threshold: number;
  readonly standing: Standing;
  readonly exhaustsAtMs: number | null;
}

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
  async setSettings(orgId: string, settings: AlertSettings): Promise<AlertSettings> {
    const thresholds = [...new Set(settings.thresholds)].sort((a, b) => a - b);
    const isWrong = thresholds.some((percent) => !Number.isInteger(percent) || percent < 1 || percent > 100);
    if (isWrong || thresholds.length > maxThresholds) {
      throw invalidField(
        'thresholds',
        `thresholds must be at most ${maxThresholds} whole numbers from 1 to 100`,
      );
    }
    const valid = { thresholds, projection: settings.projection };
    if (!(await this.#store.setSettings(orgId, valid))) {
      throw notFound('No such organization');
    }
    return valid;
  }

  /**
   * Raises alerts in one transaction, each once per window. If that fails, raises them one by one, so that an
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

  /** Acknowledges an alert. `by` is the id of the user or the key. Throws `not_found`. */
  async acknowledge(orgId: string, alertId: string, by: string): Promise<Alert> {
    const alert = await this.#store.acknowledge(orgId, alertId, by, this.#clock.now());
    if (!alert) throw notFound('No such alert');
    return alert;
  }

  #raised(due: DueAlert): Raised {
    const { standing } = due;
    const alert: Alert = {
      alertId: newId(),
      orgId: due.orgId,
      kind: due.kind,
      threshold: due.threshold,
      window: standing.window,
      windowStartMs: standing.startMs,
      limit: standing.limit ?? 0,
      used: standing.used,
      exhaustsAtMs: due.exhaustsAtMs,
      raisedAtMs: this.#clock.now(),
      acknowledgedAtMs: null,
      acknowledgedBy: null,
    };
    return { alert, message: alertMessage(alert, standing) };
  }

  /** Reports whether the alert's window has not passed yet. */
  isCurrent({ window, windowStartMs }: Alert): boolean {
    return windowAt(window, this.#clock.now()).startMs <= windowStartMs;
  }
}

function alertMessage(alert: Alert, { unit, resetsAtMs }: Standing): NoticeMessage {
  const type = alert.kind === 'threshold' ? 'quota.threshold_reached' : 'quota.exhaustion_projected';
  const data = {
    alert_id: alert.alertId,
    org_id: alert.orgId,
    limit: alert.limit,
    used: alert.used,
    unit,
    window: alert.window,
    window_start: isoTime(alert.windowStartMs),
    resets_at: isoTime(resetsAtMs),
    ...(alert.kind === 'threshold' && { threshold: alert.threshold }),
    ...(alert.exhaustsAtMs !== null && { exhausts_at: isoTime(alert.exhaustsAtMs) }),
  };
  return newNotice(type, data, alert.raisedAtMs);
}

/** Returns an alert for each threshold that is reached, lowest first. */
export function dueThresholds(orgId: string, standing: Standing, { thresholds }: AlertSettings): DueAlert[] {
  const percent = percentUsed(standing);
  return thresholds
    .filter((threshold) => threshold <= percent)
    .map((threshold) => ({ orgId, kind: 'threshold', threshold, standing, exhaustsAtMs: null }));
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
