import { LRUCache } from 'lru-cache';
import { Gather } from '../../packages/small/src/gather.ts';
import { recentEntries } from '../lib/recent.ts';
import { percentUsed, rowKindOf, type Standing, standingOf } from '../quota/decide.ts';
import { isWindowed, type LimitStanding, quotaUnits } from '../quota/limit.ts';
import type { Tiers } from '../quota/tiers.ts';
import { windowAt } from '../quota/window.ts';
import { paceDaysAt, project } from '../usage/projection.ts';
import type { UsageReader } from '../usage/usage-snapshot.ts';
import {
  type AlertSettings,
  alertedWindows,
  type CountedWindow,
  keyExpiryMs,
  thresholdsOf,
} from './alert.ts';
import { type DueAlert, dueExpiry, dueProjection, dueThresholds } from './due-alert.ts';
import type { Alerts } from './stored-alerts.ts';

interface Parts {
  readonly alerts: Alerts;
  readonly usage: UsageReader;
  readonly tiers: Tiers;
  /** Returns the name of the key or the user that a limit belongs to; null if it is the organization's. */
  nameOf(orgId: string, limit: LimitStanding): Promise<string | null>;
  /** Called after alerts were raised here. */
  onRaised(count: number): void;
  onError(reason: unknown): void;
}

/** Forecasts change slowly, and each one reads a week of usage. */
const projectEveryMs = 600_000;
const maxRemembered = 100_000;

/** Each adds a parameter to a statement. */
const windowsPerPage = 500;
const alertsPerTransaction = 40;
/** Maximum number of organizations that have reached a threshold and wait for a transaction. */
const maxWaiting = 20_000;

/** The rows of the ledger that alerts are about. */
const alertedRows = alertedWindows.flatMap((window) => quotaUnits.map((unit) => ({ window, unit })));

/** How far a look at all of these rows has come: in one of them, after an organization. */
type Place = { readonly row: number; readonly orgId: string };
const begin: Place = { row: 0, orgId: '' };

type Round = { readonly nowMs: number; readonly signal: AbortSignal | undefined };
type Reached = {
  readonly orgId: string;
  readonly standing: Standing;
  readonly seenPercent: number;
  /** Undefined: the standing is the quota's. */
  readonly limit?: LimitStanding | undefined;
};
type LimitedWindow = CountedWindow & { readonly standing: Standing };

/**
 * The percentage of a quota or of a limit at its last check. Each percentage is checked once, and again after a change
 * of the settings: `changes` is the number of those.
 */
type Seen = {
  readonly startMs: number;
  readonly limit: number | null;
  readonly percent: number;
  readonly changes: number;
};

/**
 * Raises alerts: immediately for requests that this process counts, and in a sweep for alerts
 * still missing after a crash, a change of limits, or a change of settings. The database ensures that each alert is
 * raised only once.
 */
export class AlertWatch {
  readonly #parts: Parts;
  readonly #seen = recentEntries<Seen>(maxRemembered);
  /**
   * How often an organization's limit or settings have changed here. If an entry is dropped, the percentages of its
   * organization are checked once more.
   */
  readonly #changes = new LRUCache<string, number>({ max: 1_000 });
  readonly #reached: Gather<Reached, undefined>;
  readonly #running = new Set<Promise<unknown>>();
  #projectedAtMs = Number.NEGATIVE_INFINITY;
  /** Where the next round continues if the last one ended early. */
  #raised = begin;
  #projected = begin;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#reached = new Gather((reached) => this.#raiseReached(reached), { maxItems: alertsPerTransaction });
  }

  /**
   * Receives the standings of an organization's quota and limits after each flush of the ledger. Costs a map lookup
   * for each unless a new percentage is reached.
   */
  counted(orgId: string, quota: Standing, limits: readonly LimitStanding[]): void {
    this.#noteStanding(orgId, orgId, quota);
    const { asOfMs } = quota;
    for (const limit of limits)
      if (isWindowed(limit) && alertedWindows.includes(limit.window))
        this.#noteStanding(limit.limitId, orgId, { ...limit, limit: limit.amount, asOfMs }, limit);
  }

  #noteStanding(id: string, orgId: string, standing: Standing, of?: LimitStanding): void {
    const percent = percentUsed(standing);
    if (percent === 0 || !alertedWindows.includes(standing.window)) return;
    const { startMs, limit } = standing;
    const seen = this.#seen.get(id);
    const changes = this.#changes.get(orgId) ?? 0;
    const isKnown = seen?.startMs === startMs && seen.limit === limit && seen.changes === changes;
    const seenPercent = isKnown ? seen.percent : 0;
    // When too many wait, the next sweep, or the next request that the limit counts, raises the alert.
    if (percent <= seenPercent || this.#reached.waiting >= maxWaiting) return;
    this.#seen.set(id, { startMs, limit, percent, changes });
    this.#track(this.#reached.add({ orgId, standing, seenPercent, limit: of }));
  }

  /** Checks the organizations that have counted anything. Stops early when the signal aborts; the next call continues. */
  async sweep(nowMs: number, signal?: AbortSignal): Promise<void> {
    const round = { nowMs, signal };
    const place = await this.#eachPage(round, this.#raised, (windows) =>
      this.#raise(windows.flatMap(missingThresholds)),
    );
    this.#raised = place ?? begin;
    if (place !== null || !isDue(this.#projectedAtMs, projectEveryMs, nowMs)) return;
    const projected = await this.#eachPage(round, this.#projected, (windows) =>
      this.#project(round, windows),
    );
    this.#projected = projected ?? begin;
    if (projected === null && (await this.#checkKeys(round))) this.#projectedAtMs = nowMs;
  }

  /** Raises the missing alerts of the keys that end within `keyExpiryMs`. False: cut off. */
  async #checkKeys({ nowMs, signal }: Round): Promise<boolean> {
    const untilMs = nowMs + keyExpiryMs;
    // From the beginning each time: a key that was changed or resumed can end sooner than those looked at before.
    for (let after = { expiresAt: nowMs, keyId: '' }; ; ) {
      if (signal?.aborted) return false;
      const keys = await this.#parts.alerts.expiringKeys({ after, untilMs, limit: windowsPerPage });
      await this.#raise(keys.map(dueExpiry));
      if (keys.length < windowsPerPage) return true;
      after = keys.at(-1)!;
    }
  }

  /** Checks an organization whose limit or settings have changed. */
  check(orgId: string, nowMs: number): void {
    const { alerts, tiers } = this.#parts;
    this.#changes.set(orgId, (this.#changes.get(orgId) ?? 0) + 1);
    const checked = alertedRows.map(async ({ window, unit }) => {
      const { startMs } = windowAt(window, nowMs);
      const windows = await alerts.countedWindows({ window, unit, startMs, of: { orgId } });
      await this.#raise(
        windows.flatMap((counted) => limitedWindow(counted, tiers)).flatMap(missingThresholds),
      );
    });
    this.#track(Promise.all(checked));
  }

  /** Resolves when the alerts in progress have been raised. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Returns where to continue, or null if all have been looked at. */
  async #eachPage(
    { nowMs, signal }: Round,
    from: Place,
    look: (windows: readonly LimitedWindow[]) => Promise<void>,
  ): Promise<Place | null> {
    const { alerts, tiers } = this.#parts;
    let place: Place | null = from;
    while (place !== null) {
      if (signal?.aborted) return place;
      const { row, orgId: after }: Place = place;
      const { window, unit } = alertedRows[row]!;
      const { startMs } = windowAt(window, nowMs);
      const of = { after, limit: windowsPerPage };
      const page = await alerts.countedWindows({ window, unit, startMs, of });
      await look(page.flatMap((counted) => limitedWindow(counted, tiers)));
      // What the look has left of this page is done again.
      if (signal?.aborted) return place;
      if (page.length === windowsPerPage) place = { row, orgId: page.at(-1)!.orgId };
      else place = row + 1 < alertedRows.length ? { row: row + 1, orgId: '' } : null;
    }
    return null;
  }

  async #raiseReached(reached: readonly Reached[]): Promise<undefined[]> {
    try {
      const settings = await this.#parts.alerts.settingsOf(reached.map(({ orgId }) => orgId));
      const due = reached.map((one) => {
        const wanted = settings.get(one.orgId);
        return wanted ? this.#dueFor(one, wanted) : [];
      });
      await this.#raise((await Promise.all(due)).flat());
    } catch (reason) {
      for (const { orgId, limit } of reached) this.#seen.delete(limit?.limitId ?? orgId);
      this.#parts.onError(reason);
    }
    return reached.map(() => undefined);
  }

  async #dueFor(
    { orgId, standing, seenPercent, limit }: Reached,
    settings: AlertSettings,
  ): Promise<DueAlert[]> {
    const wanted = limit ? settings.limitThresholds : thresholdsOf(settings);
    const higher = wanted.filter((threshold) => threshold > seenPercent);
    const due = dueThresholds(orgId, standing, higher);
    if (!limit || due.length === 0) return due;
    const { limitId, keyId, userId } = limit;
    const subject = { limitId, keyId, userId, name: await this.#parts.nameOf(orgId, limit) };
    return due.map((alert) => ({ ...alert, subject }));
  }

  async #project({ nowMs, signal }: Round, windows: readonly LimitedWindow[]): Promise<void> {
    const wanted = windows.filter(
      ({ window, raised, settings }) =>
        window === 'month' && settings.projection && !raised.some(({ kind }) => kind === 'projection'),
    );
    const { firstDay, endDay } = paceDaysAt(nowMs);
    for (let from = 0; from < wanted.length; from += alertsPerTransaction) {
      if (signal?.aborted) return;
      const some = new Map(wanted.slice(from, from + alertsPerTransaction).map((one) => [one.orgId, one]));
      const paces = await this.#parts.usage.paces([...some.keys()], firstDay, endDay);
      const due = paces.flatMap((pace) => {
        const { standing, settings } = some.get(pace.orgId)!;
        return dueProjection(pace.orgId, standing, project(standing, pace, nowMs), settings) ?? [];
      });
      await this.#raise(due);
    }
  }

  /** Few alerts per transaction: on SQLite, quota decisions wait for it. */
  async #raise(due: readonly DueAlert[]): Promise<void> {
    const { alerts, onRaised } = this.#parts;
    for (let from = 0; from < due.length; from += alertsPerTransaction) {
      const raised = await alerts.raise(due.slice(from, from + alertsPerTransaction));
      if (raised > 0) onRaised(raised);
    }
  }

  #track(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}

/** Returns the window with its standing; nothing if it is not the limit's window or there is no limit. */
function limitedWindow(counted: CountedWindow, tiers: Tiers): LimitedWindow[] {
  if (counted.tier === null) return [];
  const limit = tiers.limitOf(counted.tier, counted.custom);
  if (rowKindOf(limit) !== rowKindOf(counted) || limit.amount === null) return [];
  const standing = standingOf(limit, counted, counted.startMs);
  return [{ ...counted, standing }];
}

/** Returns the alerts that are due for the thresholds that are reached and have none yet. */
function missingThresholds({ orgId, standing, settings, raised }: LimitedWindow): DueAlert[] {
  const raisedBefore = (percent: number) =>
    raised.some(({ kind, threshold }) => kind === 'threshold' && threshold === percent);
  return dueThresholds(
    orgId,
    standing,
    thresholdsOf(settings).filter((percent) => !raisedBefore(percent)),
  );
}

/** Reports whether the work is due. A time in the future is from a clock that was set back since. */
function isDue(lastMs: number, everyMs: number, nowMs: number): boolean {
  return nowMs - lastMs >= everyMs || lastMs > nowMs;
}
