import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { Lru } from '../../lib/lru.ts';
import { type Standing, standingOf } from '../../quota/decide.ts';
import { limitOf } from '../../quota/tiers.ts';
import { dayOf } from '../../quota/window.ts';
import { paceFrom, project } from '../projection.ts';
import type { UsageReader } from '../reports.ts';
import { type AlertStore, type Alerts, alertedWindows } from './alerts.ts';
import { percentUsed, projectionCall, thresholdCalls } from './calls.ts';

/** Lets one of all replicas do something at a time. */
export interface LeaseStore {
  /** True: it is `holder`'s until then. Whoever holds it may take it again. */
  take(name: string, holder: string, untilMs: number, nowMs: number): Promise<boolean>;
}

interface Parts {
  readonly alerts: Alerts;
  readonly store: AlertStore;
  readonly leases: LeaseStore;
  readonly usage: UsageReader;
  readonly clock: Clock;
  /** Called when an alert was raised here. */
  onRaised(): void;
  /** What else is to be done once a round, by one replica. */
  housekeep(nowMs: number): Promise<void>;
  onError(reason: unknown): void;
}

const sweepEveryMs = 60_000;
/** Projections change slowly, and read a week of each organization. */
const projectEveryMs = 600_000;
const maxRemembered = 20_000;

/**
 * Raises alerts: at once for what this process counts, and each minute, by one replica, for what nobody has raised: after a
 * crash, a change of limits, or a change of settings. What makes an alert come once is the database's doing.
 */
export class AlertWatch {
  readonly #parts: Parts;
  readonly #holder = newId('auth');
  /** The percent that was looked at last, by organization, window and limit: each is looked at once. */
  readonly #seen = new Lru<{ percent: number }>(maxRemembered, () => 1);
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #projectedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#track(this.sweep()), sweepEveryMs).unref();
  }

  /** To be told after each flush of the ledger: costs a look into a map where no further percent is reached. */
  counted(orgId: string, standing: Standing): void {
    const percent = percentUsed(standing);
    if (percent === 0 || !alertedWindows.includes(standing.window)) return;
    const key = `${orgId} ${standing.startMs} ${standing.limit}`;
    if (percent <= (this.#seen.get(key)?.percent ?? 0)) return;
    this.#seen.set(key, { percent });
    this.#track(this.#raiseReached(orgId, standing).catch((reason) => this.#forget(key, reason)));
  }

  /** Looks at all organizations, unless another replica does. */
  async sweep(): Promise<void> {
    const { store, leases, clock, housekeep } = this.#parts;
    const nowMs = clock.now();
    // Somewhat less than a round, so that its holder takes it again.
    if (!(await leases.take('alerts', this.#holder, nowMs + sweepEveryMs - 1_000, nowMs))) return;
    const projects = nowMs - this.#projectedAtMs >= projectEveryMs;
    if (projects) this.#projectedAtMs = nowMs;
    for (const counted of await store.countedWindows()) {
      const limit = limitOf(counted.tier, counted.custom);
      if (limit.window !== counted.window || limit.requests === null) continue;
      const standing = standingOf(limit, counted, nowMs);
      if (standing.used === 0) continue;
      await this.#raiseReached(counted.orgId, standing);
      if (projects) await this.#raiseProjected(counted.orgId, standing, nowMs);
    }
    await housekeep(nowMs);
  }

  /** Resolves when what is under way is done. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.idle();
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #raiseReached(orgId: string, standing: Standing): Promise<void> {
    const { alerts, onRaised } = this.#parts;
    if (percentUsed(standing) === 0) return;
    for (const call of thresholdCalls(orgId, standing, await alerts.settings(orgId))) {
      if (await alerts.raise(call)) onRaised();
    }
  }

  async #raiseProjected(orgId: string, standing: Standing, nowMs: number): Promise<void> {
    const { alerts, usage, onRaised } = this.#parts;
    const days = await usage.totalsByDay(orgId, paceFrom(nowMs), dayOf(nowMs) + 1, null);
    const projection = project(standing, days, nowMs);
    const call = projectionCall(orgId, standing, projection, await alerts.settings(orgId));
    if (call && (await alerts.raise(call))) onRaised();
  }

  #forget(key: string, reason: unknown): void {
    this.#seen.delete(key);
    this.#parts.onError(reason);
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}
