import { throwIfGone } from './client-gone.ts';
import type { CachedVector } from './vector-cache.ts';

/** What a request is about to compute. */
export interface Ask {
  readonly keyId: string;
  /** The id under which the key shares limits with the keys that it replaced. */
  readonly limitsKeyId: string;
  /** The person in whose limits the request counts too. Null: there is none, or their id is that above. */
  readonly limitsUserId: string | null;
  readonly model: string;
  /** `requests` is 1, or 0 for a further part of a request that has been counted. */
  readonly units: { readonly requests: number; readonly texts: number; readonly tokens: number };
  /** Whether it has to leave room for other requests. */
  readonly isBackground?: boolean | undefined;
}

/** Units that are taken. */
export interface Taken {
  /** `day`, since the Unix epoch, has counted them. */
  readonly receipt: { readonly day: number };
}

/** The quota and the limits of organizations. `R` represents the units taken. */
export interface Quota<R extends Taken> {
  /**
   * Takes the units, durably once it resolves. Throws `rate_limit_exceeded` when too few are left. While it waits for
   * units, an abort of the signal makes it throw, and take none.
   */
  reserve(orgId: string, ask: Ask, signal?: AbortSignal): Promise<R>;
  /** Reports whether so much is known to be left that the units will hardly be refused. */
  hasAmpleRoom(orgId: string, ask: Ask): boolean;
  giveBack(reservation: R): Promise<void>;
  /** Corrects the number of tokens after the computation, and returns the corrected reservation. */
  settle(reservation: R, tokens: number): Promise<R>;
}

export interface ReservationParts<R extends Taken> {
  readonly quota: Quota<R>;
  readonly cache: { remember(key: string, value: CachedVector): void };
  /** Called when units could not be given back or corrected. The organization stays charged for them. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** The units that one request has taken. */
export class Reservations<R extends Taken> {
  readonly #parts: ReservationParts<R>;
  readonly #orgId: string;
  readonly #of: Omit<Ask, 'units'>;
  /** One, and a further one for texts that another request has given up. */
  readonly #taken: Reservation<R>[] = [];
  #day: number | null = null;

  constructor(parts: ReservationParts<R>, orgId: string, of: Omit<Ask, 'units'>) {
    this.#parts = parts;
    this.#orgId = orgId;
    this.#of = of;
  }

  /** The day since the Unix epoch that has counted the request. Null: it is not counted. */
  get day(): number | null {
    return this.#day;
  }

  get isCounted(): boolean {
    return this.#day !== null;
  }

  /** Begins to take units for texts and their tokens, and for the request itself if it is not counted yet. */
  reserve(texts: number, tokens: number, signal?: AbortSignal): Reservation<R> {
    const counted = this.#parts.quota.reserve(this.#orgId, this.#askFor(texts, tokens), signal).then(
      (taken) => {
        this.#taken.push(reservation);
        this.#day ??= taken.receipt.day;
        return taken;
      },
      (reason) => {
        throwIfGone(signal);
        throw reason;
      },
    );
    const reservation = new Reservation(this.#parts, counted, tokens);
    return reservation;
  }

  /** Calls `Quota.hasAmpleRoom`. */
  hasAmpleRoom(texts: number, tokens: number): boolean {
    return this.#parts.quota.hasAmpleRoom(this.#orgId, this.#askFor(texts, tokens));
  }

  #askFor(texts: number, tokens: number): Ask {
    return { ...this.#of, units: { requests: this.isCounted ? 0 : 1, texts, tokens } };
  }

  /** Ends the reservations of a request that failed, once. */
  async fail(options: { readonly isClientGone: boolean }): Promise<void> {
    for (const reservation of this.#taken.splice(0)) await reservation.fail(options);
  }
}

interface Computed {
  readonly key: string;
  readonly vector: CachedVector;
  /** By how much the tokens of the vector exceed those that were taken for its text. */
  readonly moreTokens: number;
}

/**
 * Units, and the vectors that are computed with them, perhaps while the units are being taken. The vectors enter the
 * cache only when the units are corrected and can no longer be given back, so that no vector can be read that was not
 * counted. See docs/ledger.md, "No vector without its units".
 */
export class Reservation<R extends Taken> {
  readonly #parts: ReservationParts<R>;
  #taken: Promise<R>;
  #tokens: number;
  #hasStarted = false;
  /** The vectors that wait until the units are kept. */
  #computed: Computed[] = [];
  /** Ends when the units are kept for the vectors so far. Undefined: they can still be given back. */
  #kept: Promise<void> | undefined;

  constructor(parts: ReservationParts<R>, taken: Promise<R>, tokens: number) {
    this.#parts = parts;
    this.#taken = taken;
    this.#tokens = tokens;
  }

  /** Resolves once the units are taken. Throws as `Quota.reserve` does, and `request_timeout`. */
  async taken(): Promise<void> {
    await this.#taken;
  }

  /** Notes that one of the texts is in a batch. */
  start(): void {
    this.#hasStarted = true;
  }

  /** Adds a vector that was computed with these units, `tokens` of which were taken for its text. */
  add(key: string, vector: CachedVector, tokens: number): void {
    this.#computed.push({ key, vector, moreTokens: vector.tokenCount - tokens });
    // The client has disconnected, and the computation goes on.
    if (this.#kept) void this.keep();
  }

  /**
   * Keeps the units and the vectors. Corrects the tokens first, since some upstreams report others than were
   * estimated.
   */
  keep(): Promise<void> {
    this.#kept = (this.#kept ?? Promise.resolve()).then(() => this.#keep());
    return this.#kept;
  }

  /**
   * Gives back units that are not kept. Their vectors never enter the cache. If the client has disconnected after a
   * text was in a batch, keeps them instead: otherwise its work would cost nothing.
   */
  async fail({ isClientGone }: { readonly isClientGone: boolean }): Promise<void> {
    if (this.#kept) return;
    if (isClientGone && this.#hasStarted) await this.keep();
    else await this.#attempt(async () => this.#parts.quota.giveBack(await this.#taken));
  }

  async #keep(): Promise<void> {
    const computed = this.#computed;
    this.#computed = [];
    const tokens = computed.reduce((sum, { moreTokens }) => sum + moreTokens, this.#tokens);
    if (tokens !== this.#tokens) {
      const isCorrected = await this.#attempt(async () => {
        const settled = await this.#parts.quota.settle(await this.#taken, tokens);
        this.#taken = Promise.resolve(settled);
      });
      if (!isCorrected) return;
      this.#tokens = tokens;
    }
    for (const { key, vector } of computed) this.#parts.cache.remember(key, vector);
  }

  /** Reports whether the change was made. */
  async #attempt(change: () => Promise<void>): Promise<boolean> {
    try {
      await change();
      return true;
    } catch (reason) {
      this.#parts.onGiveBackError(reason);
      return false;
    }
  }
}
