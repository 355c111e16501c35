import type { PreparedText } from './engines/engine.ts';
import type { CachedVector } from './vector-cache.ts';

export interface QueuedText<P extends PreparedText> {
  readonly prepared: P;
  readonly job: Job<P>;
  readonly position: number;
}

/** The texts of one request: done when all are computed, or failed with the first that is not. */
export class Job<P extends PreparedText> {
  /** Those in no batch yet. */
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
    // By length, so that the part of a large request that is looked at together goes well together.
    this.waiting = new Set(
      texts
        .map((prepared, position) => ({ prepared, job: this, position }))
        .sort((a, b) => b.prepared.tokenCount - a.prepared.tokenCount),
    );
  }

  /** Over all texts that are computed: when their batches began, in milliseconds since the process did. */
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

/** Texts that batches are chosen from. */
const windowTexts = 256;

/**
 * The requests that have texts waiting, in the order of their turns. Whose turn it was goes to the back, so a single
 * text waits for as many batches as there are other requests, not other texts.
 */
export class BatchQueue<P extends PreparedText> {
  readonly #jobs = new Set<Job<P>>();
  #waitingTexts = 0;

  get waitingTexts(): number {
    return this.#waitingTexts;
  }

  add(job: Job<P>): void {
    this.#jobs.add(job);
    this.#waitingTexts += job.waiting.size;
  }

  /** The texts to choose a batch from, the one whose turn it is first: an equal share of each request. */
  window(): QueuedText<P>[] {
    const share = Math.ceil(windowTexts / this.#jobs.size);
    const window: QueuedText<P>[] = [];
    for (const job of this.#jobs) {
      if (window.length >= windowTexts) break;
      window.push(...job.waiting.values().take(share));
    }
    return window;
  }

  /** Removes a batch, and ends the turn of the request that its first text is of. */
  take(batch: readonly QueuedText<P>[]): void {
    for (const text of batch) text.job.waiting.delete(text);
    this.#waitingTexts -= batch.length;
    const [first] = batch;
    if (first) this.#endTurn(first.job);
    for (const { job } of batch) if (job.waiting.size === 0) this.#jobs.delete(job);
  }

  /** Forgets what waits of a request. */
  remove(job: Job<P>): void {
    this.#waitingTexts -= job.waiting.size;
    job.waiting.clear();
    this.#jobs.delete(job);
  }

  #endTurn(job: Job<P>): void {
    this.#jobs.delete(job);
    this.#jobs.add(job);
  }
}
