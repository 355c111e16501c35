import type { CachedVector } from './vector-cache.ts';

/** What a request is about to compute. */
export interface Ask {
  readonly keyId: string;
  /** The id under which the key shares limits with the keys that it replaced. */
  readonly limitsKeyId: string;
  readonly model: string;
  /** `requests` is 1, or 0 for a further part of a request that has been counted. */
  readonly units: { readonly requests: number; readonly texts: number; readonly tokens: number };
}

/** The quota and the limits of organizations. `R` represents the units taken. */
export interface Quota<R> {
  /** Takes the units, durably once it resolves. Throws `rate_limit_exceeded` when too few are left. */
  reserve(orgId: string, ask: Ask): Promise<R>;
  giveBack(reservation: R): Promise<void>;
  /** Corrects the number of tokens after the computation, and returns the corrected reservation. */
  settle(reservation: R, tokens: number): Promise<R>;
}

export interface ReservationParts<R> {
  readonly quota: Quota<R>;
  readonly cache: { remember(key: string, value: CachedVector): void };
  /** Called when units could not be given back or corrected. The organization stays charged for them. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** The units that one request has taken. */
export class Reservations<R> {
  readonly #parts: ReservationParts<R>;
  readonly #orgId: string;
  readonly #of: Omit<Ask, 'units'>;
  /** One, and a further one for texts that another request has given up. */
  readonly #taken: Reservation<R>[] = [];

  constructor(parts: ReservationParts<R>, orgId: string, of: Omit<Ask, 'units'>) {
    this.#parts = parts;
    this.#orgId = orgId;
    this.#of = of;
  }

  /** Whether the request is counted, because it has reserved units. */
  get isCounted(): boolean {
    return this.#taken.length > 0;
  }

  /** Takes units for texts and their tokens, and for the request itself if it is not counted yet. Throws as `Quota.reserve` does. */
  async reserve(texts: number, tokens: number): Promise<Reservation<R>> {
    const units = { requests: this.isCounted ? 0 : 1, texts, tokens };
    const taken = await this.#parts.quota.reserve(this.#orgId, { ...this.#of, units });
    const reservation = new Reservation(this.#parts, taken, tokens);
    this.#taken.push(reservation);
    return reservation;
  }

  /** Ends the reservations of a request that failed. */
  async fail(options: { readonly isClientGone: boolean }): Promise<void> {
    for (const reservation of this.#taken) await reservation.fail(options);
  }
}

/**
 * Units that were taken, and the vectors that are computed with them. The vectors enter the cache only when the units
 * can no longer be given back, so that no vector can be read that was not counted. See docs/ledger.md, "No vector
 * without its units".
 */
export class Reservation<R> {
  readonly #parts: ReservationParts<R>;
  #taken: R;
  readonly #tokens: number;
  #hasStarted = false;
  #isKept = false;
  /** The vectors that wait until the units are kept. */
  #computed: { readonly key: string; readonly vector: CachedVector }[] = [];

  constructor(parts: ReservationParts<R>, taken: R, tokens: number) {
    this.#parts = parts;
    this.#taken = taken;
    this.#tokens = tokens;
  }

  /** Notes that one of the texts is in a batch. */
  start(): void {
    this.#hasStarted = true;
  }

  /** Adds a vector that was computed with these units. */
  add(key: string, vector: CachedVector): void {
    if (this.#isKept) this.#parts.cache.remember(key, vector);
    else this.#computed.push({ key, vector });
  }

  /** Keeps the units and the vectors. Corrects the tokens first, since some upstreams report others than were estimated. */
  async keep(tokens: number): Promise<void> {
    if (tokens !== this.#tokens) {
      await this.#attempt(async () => {
        this.#taken = await this.#parts.quota.settle(this.#taken, tokens);
      });
    }
    this.#keep();
  }

  /**
   * Gives back units that are not kept. Their vectors never enter the cache. If the client has disconnected after a text
   * was in a batch, keeps them instead: otherwise its work would cost nothing.
   */
  async fail({ isClientGone }: { readonly isClientGone: boolean }): Promise<void> {
    if (this.#isKept) return;
    if (isClientGone && this.#hasStarted) {
      this.#keep();
      return;
    }
    await this.#attempt(() => this.#parts.quota.giveBack(this.#taken));
  }

  #keep(): void {
    this.#isKept = true;
    for (const { key, vector } of this.#computed) this.#parts.cache.remember(key, vector);
    this.#computed = [];
  }

  async #attempt(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (reason) {
      this.#parts.onGiveBackError(reason);
    }
  }
}
