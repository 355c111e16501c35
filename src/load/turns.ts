interface Work {
  inProgress: number;
  readonly waiting: Set<() => void>;
  failure?: Failure;
}

interface Failure {
  readonly reason: unknown;
  /** On the clock of `performance.now`. */
  readonly atMs: number;
}

/**
 * Limits how many requests of each client are at work at a time. A client's further requests wait, without delaying
 * other clients.
 */
export class Turns {
  readonly #max: number;
  /** The clients that have requests at work. */
  readonly #clients = new Map<string, Work>();

  readonly #onWait: () => void;

  /** `onWait` is called for each request that has to wait. */
  constructor(max: number, onWait: () => void = () => {}) {
    this.#max = max;
    this.#onWait = onWait;
  }

  /**
   * Calls `begin` immediately, or when it is the request's turn. Returns a function to call when the request is done or
   * was abandoned.
   */
  take(client: string, begin: () => void): () => void {
    const work = this.#clients.get(client) ?? { inProgress: 0, waiting: new Set() };
    this.#clients.set(client, work);
    if (work.inProgress < this.#max) {
      work.inProgress += 1;
      begin();
    } else {
      work.waiting.add(begin);
      this.#onWait();
    }
    return () => {
      if (work.waiting.delete(begin)) return;
      const [next] = work.waiting;
      if (next) {
        work.waiting.delete(next);
        next();
      } else {
        work.inProgress -= 1;
        if (work.inProgress === 0) this.#clients.delete(client);
      }
    };
  }

  /** Records that the work of one of a client's requests has failed for a reason that the others may share. */
  fail(client: string, reason: unknown): void {
    const work = this.#clients.get(client);
    if (work) work.failure = { reason, atMs: performance.now() };
  }

  /** Returns the last recorded failure since the client last had nothing at work. */
  lastFailure(client: string): Failure | undefined {
    return this.#clients.get(client)?.failure;
  }
}
