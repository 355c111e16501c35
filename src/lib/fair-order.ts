/** One of those that take turns, such as an organization. */
export interface Sharer {
  readonly id: string;
  /** How much it gets while others wait too, relative to their weights. */
  readonly weight: number;
}

/** How much of a shared resource parties get. */
export interface Weights {
  /** Returns the weight of parties of a tier, or of those without one. */
  weightOf(tier: string | undefined): number;
}

interface Waiting {
  /** Its virtual start time: the tokens or bytes that it was charged, divided by its weight. */
  start: number;
  weight: number;
}

const minSweptParties = 256;

/**
 * Decides which party is served next: start-time fair queueing (Goyal, Vin and Cheng, 1996). Each party has a virtual
 * start time that grows by cost ÷ weight when it is served, and the party with the smallest one is next. So parties
 * that wait all the time get service in proportion to their weights. A party that begins to wait starts at the present
 * virtual time, so that it saves up nothing while it is idle.
 */
export class FairOrder {
  readonly #waiting = new Map<string, Waiting>();
  /** The start times of parties that don't wait and were served more than the present virtual time. */
  readonly #ahead = new Map<string, number>();
  #now = 0;
  #sweepAt = minSweptParties;

  /** Begins a party's wait. For a party that already waits, only sets its weight. */
  join({ id, weight }: Sharer): void {
    const waiting = this.#waiting.get(id);
    if (waiting) {
      waiting.weight = weight;
      return;
    }
    const start = Math.max(this.#now, this.#ahead.get(id) ?? 0);
    this.#ahead.delete(id);
    this.#waiting.set(id, { start, weight });
  }

  /** Ends a party's wait. */
  leave(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if (waiting.start > this.#now) this.#ahead.set(id, waiting.start);
    if (this.#waiting.size === 0) this.#restart();
    else if (this.#ahead.size > this.#sweepAt) this.#sweep();
  }

  /** Returns the waiting parties, the next one first, except those that are ahead of it by more than `maxLead`. */
  next(maxLead: number): string[] {
    const inOrder = [...this.#waiting].sort(([, a], [, b]) => a.start - b.start);
    const first = inOrder[0]?.[1].start ?? 0;
    return inOrder.filter(([, { start, weight }]) => (start - first) * weight <= maxLead).map(([id]) => id);
  }

  /** Returns the waiting party that is next, if any waits. */
  first(): string | undefined {
    let first: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [id, { start }] of this.#waiting) {
      if (start >= least) continue;
      first = id;
      least = start;
    }
    return first;
  }

  /** Records that a party's turn begins. */
  serve(id: string): void {
    this.#now = Math.max(this.#now, this.#waiting.get(id)?.start ?? 0);
  }

  /** Charges a waiting party for its part of the service. */
  charge(id: string, cost: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) waiting.start += cost / waiting.weight;
  }

  /** Charges a party for its part of the service, even if it no longer waits. */
  owe({ id, weight }: Sharer, cost: number): void {
    if (this.#waiting.has(id)) this.charge(id, cost);
    else if (cost > 0) this.#ahead.set(id, Math.max(this.#now, this.#ahead.get(id) ?? 0) + cost / weight);
  }

  /** Forgets the past: if nobody waits, nobody has a claim. */
  #restart(): void {
    this.#ahead.clear();
  }

  #sweep(): void {
    for (const [id, start] of this.#ahead) if (start <= this.#now) this.#ahead.delete(id);
    this.#sweepAt = Math.max(minSweptParties, 2 * this.#ahead.size);
  }
}
