import { LRUCache } from 'lru-cache';
import { ServiceError, unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ask } from './ask.ts';
import type { Ledger } from './ledger.ts';
import type { Reservation } from './ledger-store.ts';
import type { LimitStanding, Units } from './limit.ts';

interface Asked {
  readonly orgId: string;
  readonly units: Units;
  readonly decided: Promise<Reservation>;
}

/** At the beginning of a window there is room for so much time of an even pace: half of a second's limit. */
const minElapsedMs = 500;
/** The part of the room that is asked for at a time. Other replicas may be asking for it too. */
const partAtATime = 1 / 4;
/** After so many windows without room, background work gets one turn among the requests. */
const patienceWindows = 10;
const maxRemembered = 1_000;

/**
 * Reserves units for background work, which leaves room for requests: where a limit makes requests wait, it keeps the
 * window's use to an even pace, and is refused instead of waiting among requests. What is known of the limit may be a
 * moment old, so the room is approximate. The ledger decides, so the limit is exact.
 */
export class BackgroundAsks {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** What the ledger is being asked for. */
  readonly #asked = new Set<Asked>();
  /** Since when organizations have found no room. */
  readonly #withoutRoom = new LRUCache<string, number>({ max: maxRemembered });

  constructor(ledger: Ledger, clock: Clock) {
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** Throws as `Ledger.reserve` does, and `rate_limit_exceeded` when no room is left. `inTurn` reserves among requests. */
  async reserve(orgId: string, ask: Ask, inTurn: () => Promise<Reservation>): Promise<Reservation> {
    const { units } = ask;
    for (;;) {
      const paced = await this.#pacedLimits(orgId, ask);
      if (paced.length === 0) return this.#ledger.reserve(orgId, ask);
      const nowMs = this.#clock.now();
      const full = paced.find((limit) => limit.used > 0 && units[limit.unit] > roomOf(limit, nowMs));
      if (full && !this.#hasWaited(orgId, full, nowMs)) throw noRoom(full, units, nowMs);
      this.#withoutRoom.delete(orgId);
      if (full) return inTurn();
      const others = [...this.#asked].filter((asked) => asked.orgId === orgId);
      const isSmall = (limit: LimitStanding): boolean =>
        others.reduce((sum, asked) => sum + asked.units[limit.unit], units[limit.unit]) <=
        roomOf(limit, nowMs) * partAtATime;
      if (others.length === 0 || paced.every(isSmall)) break;
      await Promise.allSettled(others.map(({ decided }) => decided));
    }
    const asked = { orgId, units, decided: this.#ledger.reserve(orgId, ask) };
    this.#asked.add(asked);
    return asked.decided.finally(() => this.#asked.delete(asked));
  }

  /** Returns the limits that make requests wait and count this one. */
  async #pacedLimits(orgId: string, { limitsKeyId, units }: Ask): Promise<LimitStanding[]> {
    try {
      const { limits } = await this.#ledger.standings(orgId, limitsKeyId, { lastKnown: true });
      return limits.filter(({ maxWaitMs, unit }) => maxWaitMs !== null && units[unit] > 0);
    } catch (reason) {
      throw unavailable(reason);
    }
  }

  #hasWaited(orgId: string, { startMs, resetsAtMs }: LimitStanding, nowMs: number): boolean {
    const sinceMs = this.#withoutRoom.get(orgId) ?? nowMs;
    this.#withoutRoom.set(orgId, sinceMs);
    return nowMs - sinceMs >= patienceWindows * (resetsAtMs - startMs);
  }
}

/** Returns how many units an even pace has left. */
function roomOf({ amount, used, startMs, resetsAtMs }: LimitStanding, nowMs: number): number {
  return (amount * Math.max(minElapsedMs, nowMs - startMs)) / (resetsAtMs - startMs) - used;
}

function noRoom(limit: LimitStanding, units: Units, nowMs: number): ServiceError {
  const { amount, used, unit, window, startMs, resetsAtMs, keyId } = limit;
  const evenMs = startMs + ((resetsAtMs - startMs) * (used + units[unit])) / amount;
  const message = `The limit of ${amount.toLocaleString('en-US')} ${unit} per ${window} leaves room for requests.`;
  return new ServiceError('rate_limit_exceeded', message, {
    retryAfterSeconds: Math.max(1, Math.ceil((Math.min(evenMs, resetsAtMs) - nowMs) / 1_000)),
    exceeded: { unit, window, isOfKey: keyId !== null },
  });
}
