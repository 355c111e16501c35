import type { Clock } from '../lib/clock.ts';
import { keysOf } from '../lib/json.ts';
import type { NamedEntry, OrganizationState, RequestLogReader } from './request-log.ts';

/** What happened in an organization. `requests`: the newest ones, oldest first. */
export interface LiveEvents {
  readonly requests: readonly NamedEntry[];
  /** How many requests ended, at least. 0: none. Null: some, but without a log it is unknown how many. */
  readonly usage: number | null;
  readonly changes: readonly (keyof typeof changed)[];
}

export interface Listener {
  onEvents(events: LiveEvents): void;
  /** The organization was deleted. */
  onEnd(): void;
}

interface Parts {
  readonly store: Pick<RequestLogReader, 'newest' | 'state'>;
  readonly clock: Clock;
  readonly orgId: string;
  readonly hasLog: boolean;
  readonly onError: (reason: unknown) => void;
}

/** The part of an organization's state that each event is about. */
const changed = { key: 'keys', alert: 'alerts', member: 'members' } as const;
const everyMs = 1_000;
/** Replicas write their entries late and in any order. */
const windowMs = 15_000;
const maxEntries = 500;
const maxRequestEvents = 10;

/** Polls the database for what happens in one organization, so that it notices what other replicas do. */
export class LivePoller {
  readonly listeners = new Set<Listener>();
  readonly #parts: Parts;
  readonly #timer = setInterval(() => void this.#poll(), everyMs).unref();
  #isPolling = false;
  #isFailing = false;
  /** The newest entries, newest first. Undefined until the first poll. */
  #known: ReadonlyMap<string, NamedEntry> | undefined;
  #state: OrganizationState | undefined;
  /** Resolves after the first poll, whose entries are known but cause no events. */
  readonly started: Promise<void>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.started = this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Returns the known entries after a place, oldest first. */
  since(at: number, entryId: string, limit: number): NamedEntry[] {
    return [...(this.#known?.values() ?? [])]
      .filter((entry) => entry.at > at || (entry.at === at && entry.entryId > entryId))
      .slice(0, limit)
      .reverse();
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { store, clock, orgId, onError } = this.#parts;
    try {
      const state = await store.state(orgId);
      const newest = await store.newest(orgId, clock.now() - windowMs, maxEntries);
      if (state) this.#notify(state, newest);
      else for (const listener of this.listeners) listener.onEnd();
      this.#isFailing = false;
    } catch (reason) {
      if (!this.#isFailing) onError(reason);
      this.#isFailing = true;
    } finally {
      this.#isPolling = false;
    }
  }

  #notify(state: OrganizationState, newest: readonly NamedEntry[]): void {
    const [known, before] = [this.#known, this.#state];
    this.#known = new Map(newest.map((entry) => [entry.entryId, entry]));
    this.#state = state;
    if (!known || !before) return;
    const fresh = newest.filter(({ entryId }) => !known.has(entryId));
    const usage = this.#parts.hasLog || state.used === before.used ? fresh.length : null;
    const changes = keysOf(changed).filter((change) => state[changed[change]] !== before[changed[change]]);
    if (usage === 0 && changes.length === 0) return;
    const events = { requests: fresh.slice(0, maxRequestEvents).reverse(), usage, changes };
    for (const listener of this.listeners) listener.onEvents(events);
  }
}
