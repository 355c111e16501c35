import { hash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';

export interface AttemptStore {
  /** Counts one more in the window that starts at `windowStart`, and answers how many that makes. */
  count(subject: string, windowStart: number): Promise<number>;
  /** Forgets windows that started before. */
  prune(windowStartBefore: number): Promise<void>;
}

const windowMs = 600_000;
/** Attempts a window. A guesser has one address or one victim, or many of one and few tries at each. */
const limits = { pair: 10, email: 50, address: 100 };

/** Bounds guesses at passwords, codes and tokens, for all replicas together. */
export class Attempts {
  readonly #store: AttemptStore;
  readonly #clock: Clock;
  #prunedAtMs = 0;

  constructor(store: AttemptStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** To be called before the answer is looked up. Throws `rate_limit_exceeded`. */
  async admit(address: string, email: string | undefined): Promise<void> {
    const nowMs = this.#clock.now();
    const windowStart = Math.floor(nowMs / windowMs) * windowMs;
    await this.#prune(windowStart);
    const subjects: [string, number][] = [[`address ${address}`, limits.address]];
    if (email !== undefined) {
      const named = email.trim().toLowerCase();
      subjects.push([`pair ${address} ${named}`, limits.pair], [`email ${named}`, limits.email]);
    }
    for (const [subject, limit] of subjects) {
      // Digested: what people type into a form is not kept.
      const count = await this.#store.count(hash('sha256', subject, 'hex'), windowStart);
      if (count > limit) throw tooMany(windowStart + windowMs - nowMs);
    }
  }

  async #prune(windowStart: number): Promise<void> {
    if (this.#prunedAtMs === windowStart) return;
    this.#prunedAtMs = windowStart;
    await this.#store.prune(windowStart);
  }
}

function tooMany(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ServiceError(
    'rate_limit_exceeded',
    `Too many attempts. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes`,
    { retryAfterSeconds },
  );
}
