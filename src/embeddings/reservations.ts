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
  /** Called when units could not be given back or corrected. The organization stays charged for them. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** The units that one request has taken. */
export class Reservations<R> {
  readonly #parts: ReservationParts<R>;
  readonly #orgId: string;
  readonly #of: Omit<Ask, 'units'>;
  /** One, and a further one for texts that another request has given up. */
  readonly #taken: R[] = [];
  /** How many of them had a text in a batch. */
  #started = 0;

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
  async reserve(texts: number, tokens: number): Promise<void> {
    const units = { requests: this.isCounted ? 0 : 1, texts, tokens };
    this.#taken.push(await this.#parts.quota.reserve(this.#orgId, { ...this.#of, units }));
  }

  /** Notes that a text of the last reservation is in a batch. */
  start(): void {
    this.#started = this.#taken.length;
  }

  /** Corrects the tokens of the last reservation. Some upstreams report other tokens than were estimated. */
  async settle(reserved: number, tokens: number): Promise<void> {
    if (tokens === reserved) return;
    const last = this.#taken.length - 1;
    try {
      this.#taken[last] = await this.#parts.quota.settle(this.#taken[last]!, tokens);
    } catch (reason) {
      this.#parts.onGiveBackError(reason);
    }
  }

  /** Gives all units back, or only those of reservations of which no text was in a batch. */
  async giveBack({ keepStarted }: { keepStarted: boolean }): Promise<void> {
    for (const reservation of this.#taken.splice(keepStarted ? this.#started : 0)) {
      try {
        await this.#parts.quota.giveBack(reservation);
      } catch (reason) {
        this.#parts.onGiveBackError(reason);
      }
    }
  }
}
