import type { PreparedText, TraceHeaders } from '../../packages/engine/src/index.ts';
import type { Sharer } from '../lib/fair-order.ts';
import type { CachedVector } from './vector-cache.ts';

export interface QueuedText {
  readonly prepared: PreparedText;
  readonly job: Job;
  readonly position: number;
}

export interface JobOptions {
  readonly organization: Sharer;
  readonly isBackground?: boolean | undefined;
  /** Called when the first text is in a batch. Returns the headers that continue the request's trace, if it has one. */
  readonly onStart?: (() => TraceHeaders | undefined) | undefined;
  /** Called with each vector, even after the job has failed. */
  readonly onVector?: ((position: number, vector: CachedVector) => void) | undefined;
}

/** The texts of one request. `done` resolves when all are computed, and rejects when the first of them fails. */
export class Job {
  readonly organization: Sharer;
  readonly isBackground: boolean;
  /** The texts that are not in a batch yet. */
  readonly waiting: Set<QueuedText>;
  readonly done: Promise<CachedVector[]>;
  readonly #resolve: (vectors: CachedVector[]) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #vectors: CachedVector[];
  #onStart: JobOptions['onStart'];
  readonly #onVector: JobOptions['onVector'];
  /** Set when the first text is in a batch. Undefined: the request is not traced. */
  trace: TraceHeaders | undefined;
  #remaining: number;
  #startedAtSum = 0;
  #completedAtSum = 0;

  constructor(
    texts: readonly PreparedText[],
    { organization, isBackground = false, onStart, onVector }: JobOptions,
  ) {
    this.organization = organization;
    this.isBackground = isBackground;
    this.#onStart = onStart;
    this.#onVector = onVector;
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

  /** Removes a text from `waiting`, because a batch with it starts. */
  start(text: QueuedText): void {
    this.waiting.delete(text);
    this.trace ??= this.#onStart?.();
    this.#onStart = undefined;
  }

  complete(
    text: QueuedText,
    vector: Float32Array,
    { startedAt, completedAt }: { readonly startedAt: number; readonly completedAt: number },
  ): void {
    this.#startedAtSum += startedAt;
    this.#completedAtSum += completedAt;
    const { tokenCount, isCut } = text.prepared;
    const computed = { vector, tokenCount, isCut };
    this.#vectors[text.position] = computed;
    this.#onVector?.(text.position, computed);
    this.#remaining -= 1;
    if (this.#remaining === 0) this.#resolve(this.#vectors);
  }

  fail(reason: unknown): void {
    this.#reject(reason);
  }
}
