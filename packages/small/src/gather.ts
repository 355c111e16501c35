import { performance } from 'node:perf_hooks';

type Waiting<I, O> = {
  item: I;
  sinceMs: number;
  resolve: (output: O | Promise<O>) => void;
  reject: (reason: unknown) => void;
};

/**
 * Group commit: only one flush runs at a time, and items that arrive while it runs share the next one. Under load, each
 * item gets cheaper. When idle, the only delay is the rest of the event loop's turn.
 */
export class Gather<I, O> {
  readonly #flush: (items: I[]) => Promise<(O | Promise<O>)[]>;
  readonly #maxItems: number;
  readonly #patienceMs: number;
  readonly #gatherMs: number;
  /** Whether somebody waits for the end. */
  #isUrgent = false;
  /** Ends the time for gathering. */
  #flushNow = (): void => {};
  #waiting: Waiting<I, O>[] = [];
  #running: Promise<void> | undefined;

  /**
   * `flush` returns a result, or a promise of one, for each item, in order. When it throws, all items of that flush
   * fail with its reason. So does every item that has waited for `patienceMs`, because it should not wait twice for a
   * store that is unavailable. Each flush begins after `gatherMs`, or when `maxItems` wait or `idle` is called.
   */
  constructor(
    flush: (items: I[]) => Promise<(O | Promise<O>)[]>,
    options: { maxItems: number; patienceMs?: number; gatherMs?: number },
  ) {
    this.#flush = flush;
    this.#maxItems = options.maxItems;
    this.#patienceMs = options.patienceMs ?? Number.POSITIVE_INFINITY;
    this.#gatherMs = options.gatherMs ?? 0;
  }

  /** Number of items not yet taken by a flush. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject });
      if (this.#waiting.length >= this.#maxItems) this.#flushNow();
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no items wait and no flush runs. Never rejects: failures belong to their items. */
  async idle(): Promise<void> {
    while (this.#running) {
      this.#isUrgent = true;
      this.#flushNow();
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    // All sockets that are readable in this turn of the event loop are handled before setImmediate fires, so
    // their items share a flush.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#gathered();
      const taken = this.#waiting.splice(0, this.#maxItems);
      try {
        const outputs = await this.#flush(taken.map((waiting) => waiting.item));
        taken.forEach((waiting, i) => {
          waiting.resolve(outputs[i] as O | Promise<O>);
        });
      } catch (reason) {
        for (const waiting of [...taken, ...this.#impatient()]) waiting.reject(reason);
      }
    }
    this.#running = undefined;
    this.#isUrgent = false;
  }

  async #gathered(): Promise<void> {
    if (this.#gatherMs === 0 || this.#isUrgent || this.#waiting.length >= this.#maxItems) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#gatherMs);
    this.#flushNow = resolve;
    await promise;
    clearTimeout(timer);
  }

  /** Removes and returns the items that have waited too long. Items are in order of arrival. */
  #impatient(): Waiting<I, O>[] {
    const sinceMs = performance.now() - this.#patienceMs;
    const first = this.#waiting.findIndex((waiting) => waiting.sinceMs > sinceMs);
    return this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
  }
}
