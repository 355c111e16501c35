import type { PreparedText } from './engines/engine.ts';
import type { CachedVector } from './vector-cache.ts';

export interface QueuedText<P extends PreparedText> {
  readonly prepared: P;
  readonly job: Job<P>;
  readonly position: number;
}

/** The texts of one request. `done` resolves when all are computed, and rejects when the first of them fails. */
export class Job<P extends PreparedText> {
  /** The texts that are not in a batch yet. */
  readonly waiting: Set<QueuedText<P>>;
  readonly done: Promise<CachedVector[]>;
  readonly #resolve: (vectors: CachedVector[]) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #vectors: CachedVector[];
  #remaining: number;
  #startedAtSum = 0;
  #completedAtSum = 0;

  constructor(texts: readonly P[]) {
    const { promise, resolve, reject } = Promise.withResolvers<CachedVector[]>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#vectors = new Array(texts.length);
    this.#remaining = texts.length;
    // Sorted by length, so that the part of a large request in one window has texts of similar length.
    this.waiting = new Set(
      texts
        .map((prepared, position) => ({ prepared, job: this, position }))
        .sort((a, b) => b.prepared.tokenCount - a.prepared.tokenCount),
    );
  }

  /** The sum of the computed texts' batch start times, each in milliseconds since the process started. */
  get startedAtSum(): number {
    return this.#startedAtSum;
  }

  get completedAtSum(): number {
    return this.#completedAtSum;
  }

  complete(
    text: QueuedText<P>,
    vector: Float32Array,
    { startedAt, completedAt }: { readonly startedAt: number; readonly completedAt: number },
  ): void {
    this.#startedAtSum += startedAt;
    this.#completedAtSum += completedAt;
    this.#vectors[text.position] = { vector, tokenCount: text.prepared.tokenCount };
    this.#remaining -= 1;
    if (this.#remaining === 0) this.#resolve(this.#vectors);
  }

  fail(reason: unknown): void {
    this.#reject(reason);
  }
}

/** Maximum number of texts that a batch is chosen from. */
const windowTexts = 256;

/**
 * The requests with waiting texts, in the order of their turns. A new request goes before those that have had a turn,
 * so a single text waits for one batch, however large the other requests are. To prevent starvation, a request goes
 * before those that arrive more than `patienceMs` after its last turn. Otherwise the longest wait goes first.
 */
export class BatchQueue<P extends PreparedText> {
  readonly #patienceMs: number;
  /** Arrival times of the requests that have not had a turn, in order of arrival. */
  readonly #fresh = new Map<Job<P>, number>();
  /** Last turns of the requests that have had one, earliest first. */
  readonly #begun = new Map<Job<P>, number>();
  #waitingTexts = 0;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get waitingTexts(): number {
    return this.#waitingTexts;
  }

  /** Reports whether any waiting request has already had a turn. */
  get hasBegun(): boolean {
    return this.#begun.size > 0;
  }

  add(job: Job<P>, nowMs: number): void {
    this.#fresh.set(job, nowMs);
    this.#waitingTexts += job.waiting.size;
  }

  /** Returns the texts to choose a batch from: an equal share of each request, the one whose turn it is first. */
  window(): QueuedText<P>[] {
    const share = Math.ceil(windowTexts / (this.#fresh.size + this.#begun.size));
    const window: QueuedText<P>[] = [];
    for (const job of this.#inTurn()) {
      if (window.length >= windowTexts) break;
      let room = share;
      for (const text of job.waiting) {
        if (room-- === 0) break;
        window.push(text);
      }
    }
    return window;
  }

  /** Removes a batch, and ends the turn of the request that its first text belongs to. */
  take(batch: readonly QueuedText<P>[], nowMs: number): void {
    for (const text of batch) text.job.waiting.delete(text);
    this.#waitingTexts -= batch.length;
    const [first] = batch;
    if (first) this.#endTurn(first.job, nowMs);
    for (const { job } of batch) if (job.waiting.size === 0) this.#forget(job);
  }

  /** Drops the waiting texts of a request. */
  remove(job: Job<P>): void {
    this.#waitingTexts -= job.waiting.size;
    job.waiting.clear();
    this.#forget(job);
  }

  #endTurn(job: Job<P>, nowMs: number): void {
    this.#forget(job);
    this.#begun.set(job, nowMs);
  }

  #forget(job: Job<P>): void {
    this.#fresh.delete(job);
    this.#begun.delete(job);
  }

  *#inTurn(): Generator<Job<P>> {
    const begun = this.#begun.entries();
    let next = begun.next();
    for (const [job, cameAtMs] of this.#fresh) {
      for (; !next.done && next.value[1] + this.#patienceMs < cameAtMs; next = begun.next())
        yield next.value[0];
      yield job;
    }
    for (; !next.done; next = begun.next()) yield next.value[0];
  }
}
