import type { Clock } from '../lib/clock.ts';
import type { OrganizationState, RequestEntry, RequestLogReader } from './request-log.ts';

/** What happened in an organization. `requests`: the newest ones, oldest first. */
export interface LiveEvents {
  readonly requests: readonly RequestEntry[];
  /** How many requests ended, at least. 0: none. Null: some, but without a log it is unknown how many. */
  readonly usage: number | null;
  readonly changes: readonly ('key' | 'alert' | 'member')[];
}

export interface Listener {
  onEvents(events: LiveEvents): void;
  /** The organization was deleted. */
  onEnd(): void;
}

type Needs = Pick<RequestLogReader, 'newest' | 'state'>;

const everyMs = 1_000;
/** Replicas write their entries late and in any order. */
const windowMs = 15_000;
const maxEntries = 500;
const maxRequestEvents = 10;

/** Polls the database for what happens in one organization, so that it notices what other replicas do. */
export class LivePoller {
  readonly listeners = new Set<Listener>();
  readonly #store: Needs;
  readonly #clock: Clock;
  readonly #orgId: string;
  readonly #onError: (reason: unknown) => void;
  readonly #hasLog: boolean;
  readonly #timer: NodeJS.Timeout;
  /** Resolves after the first poll, whose entries are known but cause no events. */
  readonly started: Promise<void>;
  #isPolling = false;
  #isFailing = false;
  /** The newest entries, newest first. Undefined until the first poll. */
  #known: ReadonlyMap<string, RequestEntry> | undefined;
  #state: OrganizationState | undefined;

  constructor(parts: {
    readonly store: Needs;
    readonly clock: Clock;
    readonly orgId: string;
    readonly hasLog: boolean;
    readonly onError: (reason: unknown) => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#orgId = parts.orgId;
    this.#hasLog = parts.hasLog;
    this.#onError = parts.onError;
    this.#timer = setInterval(() => void this.#poll(), everyMs).unref();
    this.started = this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Returns the known entries after a place, oldest first. */
  since(at: number, entryId: string, limit: number): RequestEntry[] {
    return [...(this.#known?.values() ?? [])]
      .filter((entry) => entry.at > at || (entry.at === at && entry.entryId > entryId))
      .slice(0, limit)
      .reverse();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const state = await this.#store.state(this.#orgId);
      const newest = await this.#store.newest(this.#orgId, this.#clock.now() - windowMs, maxEntries);
      if (state) this.#notify(state, newest);
      else for (const listener of this.listeners) listener.onEnd();
      this.#isFailing = false;
    } catch (reason) {
      if (!this.#isFailing) this.#onError(reason);
      this.#isFailing = true;
    } finally {
      this.#isPolling = false;
    }
  }

  #notify(state: OrganizationState, newest: readonly RequestEntry[]): void {
    const [known, before] = [this.#known, this.#state];
    this.#known = new Map(newest.map((entry) => [entry.entryId, entry]));
    this.#state = state;
    if (!known || !before) return;
    const fresh = newest.filter(({ entryId }) => !known.has(entryId));
    const changed = { key: state.keys !== before.keys, alert: state.alerts !== before.alerts };
    const events: LiveEvents = {
      requests: fresh.slice(0, maxRequestEvents).reverse(),
      usage: this.#hasLog || state.used === before.used ? fresh.length : null,
      changes: [
        ...(changed.key ? (['key'] as const) : []),
        ...(changed.alert ? (['alert'] as const) : []),
        ...(state.members !== before.members ? (['member'] as const) : []),
      ],
    };
    if (events.usage === 0 && events.changes.length === 0) return;
    for (const listener of this.listeners) listener.onEvents(events);
  }
}
