import { newId } from '../lib/ids.ts';
import type { LeaseStore } from '../lib/leases.ts';

interface Parts {
  readonly leases: LeaseStore;
  /** What one replica does now and then. Ends early at the signal. */
  work(signal: AbortSignal): Promise<void>;
  onError(reason: unknown): void;
}

const firstAfterMs = 5_000;
/** Several times in the hour for which a token of a replica of an older release counts. */
const everyMs = 600_000;

/** Does the housekeeping of the keys: soon after the start, and six times an hour, by one of all replicas. */
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

  /** Does it now, after what is under way, unless another replica does. Failures are told to `onError`. */
  look(): void {
    this.run(() => this.#once());
  }

  /** Does something else that a key needs, after what is under way. */
  run(work: () => Promise<void>): void {
    this.#running = this.#running.then(work).catch((reason) => this.#parts.onError(reason));
  }

  /** Resolves when what is under way is done. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#closing.abort();
    await this.#running;
  }

  async #once(): Promise<void> {
    const { leases, work } = this.#parts;
    // Somewhat less than a round, so that its holder comes in time to take it again.
    if ((await leases.take('keys', this.#holder, everyMs - 5_000)) !== null) await work(this.#closing.signal);
  }
}
