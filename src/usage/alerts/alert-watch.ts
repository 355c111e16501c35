import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { Lru } from '../../lib/lru.ts';
import { percentUsed, type Standing, standingOf } from '../../quota/decide.ts';
import type { Tiers } from '../../quota/tiers.ts';
import { dayOf } from '../../quota/window.ts';
import { paceFrom, project } from '../projection.ts';
import type { UsageReader } from '../reports.ts';
import {
  type AlertSettings,
  type AlertStore,
  alertedWindows,
  type CountedWindow,
  defaultSettings,
} from './alert.ts';
import type { Alerts } from './alerts.ts';
import { type Call, projectionCall, thresholdCalls } from './calls.ts';

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
  readonly tiers: Tiers;
  /** Called when an alert was raised here. */
  onRaised(): void;
  /** What else one replica does now and then. Ends early at the signal. */
  housekeep(nowMs: number, signal: AbortSignal): Promise<void>;
  onError(reason: unknown): void;
}

/** Half of what is promised: after a crash, the lease of who is gone has to end first. */
const sweepEveryMs = 30_000;
/** Projections change slowly, and read a week of each organization. */
const projectEveryMs = 600_000;
const housekeepEveryMs = 3_600_000;
const maxRemembered = 20_000;

/** How far an organization was when it was looked at last: each percent is looked at once. */
type Seen = { readonly startMs: number; readonly limit: number | null; readonly percent: number };

/**
 * Raises alerts: at once for what this process counts, and twice a minute, by one replica, for what nobody has raised: after a
 * crash, a change of limits, or a change of settings. What makes an alert come once is the database's doing.
 */
export class AlertWatch {
  readonly #parts: Parts;
  readonly #holder = newId();
  readonly #seen = new Lru<Seen>(maxRemembered, () => 1);
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #sweeping = false;
  #projectedAtMs = Number.NEGATIVE_INFINITY;
  #housekeptAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.look(), sweepEveryMs).unref();
  }

  /** To be told after each flush of the ledger: costs a look into a map where no further percent is reached. */
  counted(orgId: string, standing: Standing): void {
    const percent = percentUsed(standing);
    if (percent === 0 || !alertedWindows.includes(standing.window)) return;
    const { startMs, limit } = standing;
    const seen = this.#seen.get(orgId);
    const isKnown = seen?.startMs === startMs && seen.limit === limit;
    const seenPercent = isKnown ? seen.percent : 0;
    if (percent <= seenPercent) return;
    this.#seen.set(orgId, { startMs, limit, percent });
    const work = this.#raiseReached(orgId, standing, seenPercent).catch((reason) => {
      this.#seen.delete(orgId);
      throw reason;
    });
    this.#track(work);
  }

  /** Begins a sweep; what goes wrong is told to `onError`. */
  look(): void {
    this.#track(this.sweep());
  }

  /** Looks at all organizations, unless another replica does. */
  async sweep(): Promise<void> {
    if (this.#sweeping) return;
    this.#sweeping = true;
    try {
      const nowMs = this.#parts.clock.now();
      // Somewhat less than a round, so that its holder comes in time to take it again.
      const untilMs = nowMs + sweepEveryMs - 5_000;
      if (await this.#parts.leases.take('alerts', this.#holder, untilMs, nowMs)) await this.#lookAtAll(nowMs);
    } finally {
      this.#sweeping = false;
    }
  }

  /** Breaks off a sweep; resolves when what is being raised has been. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #lookAtAll(nowMs: number): Promise<void> {
    const { store, housekeep, onError } = this.#parts;
    const projects = nowMs - this.#projectedAtMs >= projectEveryMs;
    const { signal } = this.#closing;
    for (const counted of await store.countedWindows(nowMs)) {
      if (signal.aborted) return;
      // An organization that is deleted meanwhile keeps no other from its alerts.
      await this.#lookAt(counted, projects, nowMs).catch(onError);
    }
    if (projects) this.#projectedAtMs = nowMs;
    if (nowMs - this.#housekeptAtMs < housekeepEveryMs) return;
    await housekeep(nowMs, signal);
    this.#housekeptAtMs = nowMs;
  }

  async #lookAt(counted: CountedWindow, projects: boolean, nowMs: number): Promise<void> {
    const limit = this.#parts.tiers.limitOf(counted.tier, counted.custom);
    if (limit.window !== counted.window || limit.requests === null) return;
    const standing = standingOf(limit, counted, nowMs);
    const settings = counted.settings ?? defaultSettings;
    await this.#raise(thresholdCalls(counted.orgId, standing, settings), counted);
    if (projects) await this.#project(counted, standing, settings, nowMs);
  }

  async #raiseReached(orgId: string, standing: Standing, seenPercent: number): Promise<void> {
    const calls = thresholdCalls(orgId, standing, await this.#parts.alerts.settings(orgId));
    await this.#raise(calls.filter(({ threshold }) => threshold > seenPercent));
  }

  async #project(
    counted: CountedWindow,
    standing: Standing,
    settings: AlertSettings,
    nowMs: number,
  ): Promise<void> {
    const { orgId, window } = counted;
    const isRaised = counted.raised.some(({ kind }) => kind === 'projection');
    if (window !== 'month' || isRaised || !settings.projection) return;
    const [pace] = await this.#parts.usage.paces([orgId], paceFrom(nowMs), dayOf(nowMs) + 1);
    if (!pace) return;
    const call = projectionCall(orgId, standing, project(standing, pace, nowMs), settings);
    if (call) await this.#raise([call]);
  }

  async #raise(calls: readonly Call[], known: Pick<CountedWindow, 'raised'> = { raised: [] }): Promise<void> {
    for (const call of calls) {
      const isRaised = known.raised.some(
        ({ kind, threshold }) => kind === call.kind && threshold === call.threshold,
      );
      if (!isRaised && (await this.#parts.alerts.raise(call))) this.#parts.onRaised();
    }
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((reason) => this.#parts.onError(reason))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}
