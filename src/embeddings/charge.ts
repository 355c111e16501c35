import type { Ask } from '../quota/ask.ts';
import type { Reservation } from '../quota/ledger-store.ts';
import type { CountedUnit, Units } from '../quota/limit.ts';
import type { Pacer } from '../quota/pacer.ts';
import { type Price, priced } from '../quota/price.ts';
import { throwIfGone } from './client-gone.ts';
import type { CachedVector } from './vector-cache.ts';

export interface ChargeParts {
  readonly quota: Pick<Pacer, 'begin' | 'reserve' | 'hasAmpleRoom' | 'giveBack' | 'settle'>;
  /** What the model costs. Undefined: nothing. */
  readonly price?: Price | undefined;
  readonly cache: { remember(key: string, value: CachedVector): void };
  /** Called when units could not be given back or corrected. The organization stays charged for them. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** What the ledger has counted of one request. */
export interface Counted extends Pick<Units, 'texts' | 'tokens' | 'cost'> {
  /** The day since the Unix epoch that has counted it. */
  readonly day: number;
}

/** The units that one request has taken. */
export class Charge {
  readonly #parts: ChargeParts;
  readonly #orgId: string;
  readonly #of: Omit<Ask, 'units'>;
  /** One, and a further one for texts that another request has given up. */
  readonly #taken: Portion[] = [];
  #day: number | null = null;

  constructor(parts: ChargeParts, orgId: string, of: Omit<Ask, 'units'>) {
    this.#parts = parts;
    this.#orgId = orgId;
    this.#of = of;
  }

  /** Null: the request is not counted. */
  get counted(): Counted | null {
    if (this.#day === null) return null;
    const sumOf = (unit: CountedUnit) => this.#taken.reduce((sum, { units }) => sum + units[unit], 0);
    return { day: this.#day, texts: sumOf('texts'), tokens: sumOf('tokens'), cost: sumOf('cost') };
  }

  get isCounted(): boolean {
    return this.#day !== null;
  }

  /** Begins to take units for texts and their tokens, and for the request itself if it is not counted yet. */
  reserve(texts: number, tokens: number, signal?: AbortSignal): Portion {
    const ask = this.#askFor(texts, tokens);
    const counted = this.#parts.quota.reserve(this.#orgId, ask, signal).then(
      (taken) => {
        this.#taken.push(portion);
        this.#day ??= taken.receipt.day;
        return taken;
      },
      (reason) => {
        throwIfGone(signal);
        throw reason;
      },
    );
    const portion = new Portion(this.#parts, counted, ask.units);
    return portion;
  }

  /** Calls `Pacer.hasAmpleRoom`. */
  hasAmpleRoom(texts: number, tokens: number): boolean {
    return this.#parts.quota.hasAmpleRoom(this.#orgId, this.#askFor(texts, tokens));
  }

  #askFor(texts: number, tokens: number): Ask {
    const units = { requests: this.isCounted ? 0 : 1, texts, tokens };
    return { ...this.#of, units: priced(this.#parts.price, units) };
  }

  /** Ends what a request that failed has taken, once. */
  async fail(options: { readonly isClientGone: boolean }): Promise<void> {
    for (const portion of this.#taken.splice(0)) await portion.fail(options);
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
export class Portion {
  readonly #parts: ChargeParts;
  /** What is counted. */
  units: Units;
  #taken: Promise<Reservation>;
  #hasStarted = false;
  /** The vectors that wait until the units are kept. */
  #computed: Computed[] = [];
  /** Ends when the units are kept for the vectors so far. Undefined: they can still be given back. */
  #kept: Promise<void> | undefined;

  constructor(parts: ChargeParts, taken: Promise<Reservation>, units: Units) {
    this.#parts = parts;
    this.#taken = taken;
    this.units = units;
  }

  /** Resolves once the units are taken. Throws as `Pacer.reserve` does, and `request_timeout`. */
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
    const tokens = computed.reduce((sum, { moreTokens }) => sum + moreTokens, this.units.tokens);
    if (tokens !== this.units.tokens) {
      const units = priced(this.#parts.price, { ...this.units, tokens });
      const isCorrected = await this.#attempt(async () => {
        const settled = await this.#parts.quota.settle(await this.#taken, units);
        this.#taken = Promise.resolve(settled);
      });
      if (!isCorrected) return;
      this.units = units;
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
