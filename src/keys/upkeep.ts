import type { LeaseStore } from '../lib/database.ts';
import { newId } from '../lib/ids.ts';

interface Parts {
  readonly leases: LeaseStore;
  /** The housekeeping that one replica does at a time. Ends early at the signal. */
  work(signal: AbortSignal): Promise<void>;
  onError(reason: unknown): void;
}

const firstAfterMs = 5_000;
const everyMs = 600_000;

/** Runs the housekeeping of the keys on one replica: soon after the start, then six times an hour. */
export class KeyUpkeep {
  readonly #parts: Parts;
  readonly #holder = newId();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timers = [setTimeout(() => this.look(), firstAfterMs), setInterval(() => this.look(), everyMs)];
    for (const timer of this.#timers) timer.unref();
  }

  /** Runs the housekeeping after the work in progress, unless another replica does. Reports failures to `onError`. */
  look(): void {
    this.run(() => this.#once());
  }

  /** Runs other work on keys after the work in progress. */
  run(work: () => Promise<void>): void {
    this.#running = this.#running.then(work).catch((reason) => this.#parts.onError(reason));
  }

  /** Stops the housekeeping early and resolves when the work in progress is done. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closing.abort();
    await this.#running;
  }

  async #once(): Promise<void> {
    const { leases, work } = this.#parts;
    // Slightly shorter than the interval, so that the holder can take the lease again in its next round.
    if ((await leases.take('keys', this.#holder, everyMs - 5_000)) !== null) await work(this.#closing.signal);
  }
}
