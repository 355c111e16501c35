import { setImmediate } from 'node:timers';
import { unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { Admission } from './admission.ts';
import { BatchQueue, Job, type QueuedText } from './batch-queue.ts';
import { chooseBatch } from './choose-batch.ts';
import { onceGone, throwIfGone } from './client-gone.ts';
import { type Engine, type InputType, PartlyFailed, type PreparedText } from './engines/engine.ts';
import { TextFailed, TextTooLong } from './text-errors.ts';
import type { CachedVector } from './vector-cache.ts';

export interface BatcherOptions {
  /** Maximum number of estimated tokens admitted at a time. */
  readonly maxAdmittedTokens?: number;
  readonly maxBatchTexts?: number;
  readonly observer?: BatchObserver;
}

/** Receives the batcher's measurements. */
export interface BatchObserver {
  /** Called when a batch starts. */
  batch(texts: number, tokens: number): void;
  /** Called when all texts of a request are prepared. */
  prepared(tokenizationMs: number): void;
  /** Called when all texts of a request are computed. */
  computed(durations: Durations): void;
}

/** The durations of a computation in milliseconds, as means over its texts. */
export interface Durations {
  /** Time until the start of the batch. */
  readonly queueMs: number;
  readonly inferenceMs: number;
}

export interface Preparation {
  readonly inputType: InputType;
  /** Whether to cut texts over the model's limit. Otherwise they are rejected. */
  readonly truncate: boolean;
}

export interface Computation {
  /** Aborting it drops the texts that are not in a batch yet. */
  readonly signal?: AbortSignal | undefined;
}

/** Tokenizing this many UTF-16 code units takes about as long as computing one token. */
const unitsPerToken = 512;

/** How long newer requests may overtake a large one, in milliseconds. */
const patienceMs = 250;

/** Computes the texts of all requests in shared batches of similar length, as many at a time as the engine can run. */
export class Batcher<P extends PreparedText = PreparedText> {
  readonly #engine: Engine<P>;
  readonly #maxBatchTexts: number;
  readonly #admission: Admission;
  readonly #observer: BatchObserver | undefined;
  readonly #clock: Clock;
  readonly #queue = new BatchQueue<P>(patienceMs);
  /** Running requests and batches. A batch can outlast the requests that its texts belong to. */
  readonly #underWay = new Set<Promise<unknown>>();
  #runningBatches = 0;
  #willStart = false;

  constructor(engine: Engine<P>, clock: Clock, options: BatcherOptions = {}) {
    this.#engine = engine;
    this.#clock = clock;
    this.#maxBatchTexts = options.maxBatchTexts ?? 64;
    this.#admission = new Admission(options.maxAdmittedTokens ?? 524_288, clock);
    this.#observer = options.observer;
  }

  get stats(): { admittedTokens: number; waitingTexts: number; runningBatches: number } {
    return {
      admittedTokens: this.#admission.heldTokens,
      waitingTexts: this.#queue.waitingTexts,
      runningBatches: this.#runningBatches,
    };
  }

  /** Takes the permit that `prepare` and `compute` need, and returns the function that releases it. Throws `overloaded`. */
  admit(texts: readonly string[]): () => void {
    const { maxTokens } = this.#engine.model;
    const tokens = texts.reduce(
      (sum, { length }) => sum + Math.min(maxTokens, length + 1) + Math.floor(length / unitsPerToken),
      0,
    );
    return this.#admission.take(tokens);
  }

  /**
   * Prepares one text or more, in order. Throws `TextTooLong` for a text that may not be cut, and `unavailable` when
   * the engine fails.
   */
  prepare(texts: readonly string[], preparation: Preparation): Promise<P[]> {
    return this.#track(this.#prepare(texts, preparation));
  }

  /**
   * Computes one text or more. Returns one vector of `model.dimensions` finite numbers for each text, in order.
   * Throws `TextTooLong`, `TextFailed` when the engine has no vector for a text, `unavailable` when the engine fails,
   * `request_timeout` when `signal` aborts before all texts are in a batch.
   */
  compute(prepared: readonly P[], computation: Computation = {}): Promise<CachedVector[]> {
    return this.#track(this.#compute(prepared, computation));
  }

  /** Resolves when no requests or batches are left. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #prepare(texts: readonly string[], { inputType, truncate }: Preparation): Promise<P[]> {
    const beganAt = performance.now();
    const prepared = await this.#engine.prepare(texts, inputType, truncate).catch((reason) => {
      throw unavailable(reason);
    });
    if (prepared.length !== texts.length) {
      throw unavailable(new Error(`the engine prepared ${prepared.length} of ${texts.length} texts`));
    }
    if (!truncate) this.#refuseTooLong(prepared);
    this.#observer?.prepared(performance.now() - beganAt);
    return prepared;
  }

  async #compute(prepared: readonly P[], { signal }: Computation): Promise<CachedVector[]> {
    throwIfGone(signal);
    const queuedAt = performance.now();
    const job = new Job(prepared);
    const endWatch = onceGone(signal, (reason) => {
      if (job.waiting.size > 0) this.#fail(job, reason);
    });
    this.#queue.add(job, this.#clock.now());
    this.#startSoon();
    const vectors = await job.done.finally(endWatch);
    const meanMs = (sum: number): number => sum / prepared.length;
    this.#observer?.computed({
      queueMs: meanMs(job.startedAtSum) - queuedAt,
      inferenceMs: meanMs(job.completedAtSum - job.startedAtSum),
    });
    return vectors;
  }

  #refuseTooLong(prepared: readonly P[]): void {
    const { maxTokens } = this.#engine.model;
    prepared.forEach(({ fullTokenCount }, position) => {
      if (fullTokenCount > maxTokens) throw new TextTooLong(position, fullTokenCount, maxTokens);
    });
  }

  /** Starts batches in the next turn of the event loop, so that requests that arrive in the same turn share them. */
  #startSoon(): void {
    if (this.#willStart) return;
    this.#willStart = true;
    setImmediate(() => {
      this.#willStart = false;
      this.#start();
    });
  }

  #start(): void {
    const { concurrency } = this.#engine;
    while (this.#runningBatches < concurrency) {
      const window = this.#queue.window();
      if (window.length === 0) return;
      // Divide the waiting texts among the idle workers instead of giving them all to the first.
      const share = Math.ceil(this.#queue.waitingTexts / (concurrency - this.#runningBatches));
      const batch = chooseBatch(window, ({ prepared }) => prepared.tokenCount, {
        maxTokens: this.#queue.hasBegun ? this.#engine.briefBatchTokens : this.#engine.maxBatchTokens,
        maxTexts: Math.min(this.#maxBatchTexts, share),
      });
      this.#queue.take(batch, this.#clock.now());
      void this.#track(this.#run(batch));
    }
  }

  async #run(batch: readonly QueuedText<P>[]): Promise<void> {
    this.#runningBatches += 1;
    this.#observer?.batch(
      batch.length,
      batch.reduce((tokens, { prepared }) => tokens + prepared.tokenCount, 0),
    );
    const startedAt = performance.now();
    try {
      const outcomes = await this.#engine.run(batch.map(({ prepared }) => prepared)).catch(outcomesOf);
      if (outcomes.length !== batch.length) {
        throw new Error(`the engine returned ${outcomes.length} vectors for ${batch.length} texts`);
      }
      const completedAt = performance.now();
      batch.forEach((text, i) => {
        const outcome = outcomes[i]!;
        if (outcome instanceof TextTooLong) this.#fail(text.job, outcome.movedTo(text.position));
        else if (outcome instanceof Error) this.#fail(text.job, new TextFailed(text.position, outcome));
        else if (this.#isSound(outcome)) text.job.complete(text, outcome, { startedAt, completedAt });
        else
          this.#fail(
            text.job,
            new TextFailed(text.position, new Error('the engine returned an unusable vector')),
          );
      });
    } catch (reason) {
      for (const { job } of batch) this.#fail(job, unavailable(reason));
    } finally {
      this.#runningBatches -= 1;
      this.#start();
    }
  }

  #isSound(vector: Float32Array): boolean {
    if (vector.length !== this.#engine.model.dimensions) return false;
    // A loop, because reduce() allocates an object for each number: 8 KB per vector.
    let squares = 0;
    for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
    return Number.isFinite(squares) && squares > 0;
  }

  #fail(job: Job<P>, reason: unknown): void {
    this.#queue.remove(job);
    job.fail(reason);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const forget = (): void => {
      this.#underWay.delete(work);
    };
    work.then(forget, forget);
    return work;
  }
}

/** Returns the outcomes of a batch that failed in part, and rethrows any other error. */
function outcomesOf(reason: unknown): readonly (Float32Array | Error)[] {
  if (reason instanceof PartlyFailed) return reason.outcomes;
  throw reason;
}
