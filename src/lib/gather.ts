import { performance } from 'node:perf_hooks';

type Waiting<I, O> = {
  item: I;
  sinceMs: number;
  resolve: (output: O) => void;
  reject: (reason: unknown) => void;
};

/**
 * Group commit: at most one flush is under way, and whatever arrives meanwhile shares the next one.
 * The busier it is, the cheaper each item gets, and an idle one adds no delay but the rest of the event loop's turn.
 */
export class Gather<I, O> {
  readonly #flush: (items: I[]) => Promise<O[]>;
  readonly #maxItems: number;
  readonly #patienceMs: number;
  #waiting: Waiting<I, O>[] = [];
  #running: Promise<void> | undefined;

  /**
   * `flush` answers item by item, in order; when it throws, every item of that flush fails with its reason, and so does each that has
   * waited for `patienceMs`: what has waited for a store that is away must not wait for it again.
   */
  constructor(flush: (items: I[]) => Promise<O[]>, options: { maxItems: number; patienceMs?: number }) {
    this.#flush = flush;
    this.#maxItems = options.maxItems;
    this.#patienceMs = options.patienceMs ?? Number.POSITIVE_INFINITY;
  }

  /** Items not yet taken by a flush. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing waits and nothing is under way. Never rejects: failures belong to their items. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // All sockets readable in this turn of the event loop are handled before setImmediate fires: they share a flush.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, this.#maxItems);
      try {
        const outputs = await this.#flush(taken.map((waiting) => waiting.item));
        taken.forEach((waiting, i) => {
          waiting.resolve(outputs[i] as O);
        });
      } catch (reason) {
        for (const waiting of [...taken, ...this.#impatient()]) waiting.reject(reason);
      }
    }
    this.#running = undefined;
  }

  /** Takes out those that have waited for long. They came in order. */
  #impatient(): Waiting<I, O>[] {
    const sinceMs = performance.now() - this.#patienceMs;
    const first = this.#waiting.findIndex((waiting) => waiting.sinceMs > sinceMs);
    return this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
  }
}
