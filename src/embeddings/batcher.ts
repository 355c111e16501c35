import { setImmediate } from 'node:timers';
import { unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { Admission } from './admission.ts';
import { BatchQueue, Job, type QueuedText } from './batch-queue.ts';
import { chooseBatch } from './choose-batch.ts';
import { onceGone, throwIfGone } from './client-gone.ts';
import {
  type Engine,
  type InputType,
  type Model,
  PartlyFailed,
  type PreparedText,
} from './engines/engine.ts';
import { TextFailed } from './text-failed.ts';
import { TextTooLong } from './text-too-long.ts';
import type { CachedVector } from './vector-cache.ts';

export interface BatcherOptions {
  /** Bound of what is admitted at a time, in estimated tokens. */
  readonly maxAdmittedTokens?: number;
  readonly maxBatchTexts?: number;
  readonly observer?: BatchObserver;
}

/** Is told what was done. */
export interface BatchObserver {
  /** A batch starts. */
  batch(texts: number, tokens: number): void;
  /** A request's texts are all computed. */
  request(durations: Durations): void;
}

/** In milliseconds; of a request with several texts, their mean. */
export interface Durations {
  readonly tokenizationMs: number;
  /** From being tokenised to the start of its batch. */
  readonly queueMs: number;
  readonly inferenceMs: number;
}

export interface BatchRequest {
  readonly inputType: InputType;
  /** Whether a text over the model's limit is cut; otherwise it is refused. */
  readonly truncate: boolean;
  /** When it aborts, the texts that are in no batch yet are dropped. */
  readonly signal?: AbortSignal | undefined;
}

/** Reading this many UTF-16 units of a text takes about as long as computing one token. */
const unitsPerToken = 512;

/** How long a large request may see newer ones go before it. */
const patienceMs = 250;

/** Computes the texts of all requests together, in batches of similar length, as many at a time as the engine runs. */
export class Batcher<P extends PreparedText = PreparedText> {
  readonly #engine: Engine<P>;
  readonly #maxBatchTexts: number;
  readonly #admission: Admission;
  readonly #observer: BatchObserver | undefined;
  readonly #clock: Clock;
  readonly #queue = new BatchQueue<P>(patienceMs);
  /** Requests, and batches, which may outlast the requests that their texts are of. */
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

  get model(): Model {
    return this.#engine.model;
  }

  get stats(): { admittedTokens: number; waitingTexts: number; runningBatches: number } {
    return {
      admittedTokens: this.#admission.heldTokens,
      waitingTexts: this.#queue.waitingTexts,
      runningBatches: this.#runningBatches,
    };
  }

  /** Takes the permit that `embed` needs; answers the function that releases it. Throws `overloaded`. */
  admit(texts: readonly string[]): () => void {
    const { maxTokens } = this.#engine.model;
    const tokens = texts.reduce(
      (sum, { length }) => sum + Math.min(maxTokens, length + 1) + Math.floor(length / unitsPerToken),
      0,
    );
    return this.#admission.take(tokens);
  }

  /**
   * Takes one text or more. Answers `texts.length` vectors of `model.dimensions` finite numbers, in order; all or
   * nothing. Throws `TextTooLong`, `TextFailed` when one of them has no vector, `unavailable` when the engine fails, `request_timeout` when `signal` aborts in time.
   */
  embed(texts: readonly string[], request: BatchRequest): Promise<CachedVector[]> {
    return this.#track(this.#embed(texts, request));
  }

  /** Resolves when nothing waits and nothing is under way. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #embed(
    texts: readonly string[],
    { inputType, truncate, signal }: BatchRequest,
  ): Promise<CachedVector[]> {
    throwIfGone(signal);
    const beganAt = performance.now();
    const prepared = await this.#prepare(texts, inputType, truncate);
    const preparedAt = performance.now();
    if (!truncate) this.#refuseTooLong(prepared);
    throwIfGone(signal);
    const job = new Job(prepared);
    const endWatch = onceGone(signal, (reason) => {
      if (job.waiting.size > 0) this.#fail(job, reason);
    });
    this.#queue.add(job, this.#clock.now());
    this.#startSoon();
    const vectors = await job.done.finally(endWatch);
    const meanMs = (sum: number): number => sum / texts.length;
    this.#observer?.request({
      tokenizationMs: preparedAt - beganAt,
      queueMs: meanMs(job.startedAtSum) - preparedAt,
      inferenceMs: meanMs(job.completedAtSum - job.startedAtSum),
    });
    return vectors;
  }

  async #prepare(texts: readonly string[], inputType: InputType, mayCut: boolean): Promise<P[]> {
    try {
      const prepared = await this.#engine.prepare(texts, inputType, mayCut);
      if (prepared.length === texts.length) return prepared;
      throw new Error(`the engine prepared ${prepared.length} of ${texts.length} texts`);
    } catch (reason) {
      throw unavailable(reason);
    }
  }

  #refuseTooLong(prepared: readonly P[]): void {
    const { maxTokens } = this.#engine.model;
    prepared.forEach(({ fullTokenCount }, position) => {
      if (fullTokenCount > maxTokens) throw new TextTooLong(position, fullTokenCount, maxTokens);
    });
  }

  /** Requests that come in the same turn of the event loop share their batches. */
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
      // What waits is shared among the idle workers, rather than all given to the first.
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
        throw new Error(`the engine answered ${outcomes.length} vectors for ${batch.length} texts`);
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
            new TextFailed(text.position, new Error('the engine answered an unusable vector')),
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
    // Not by reduce(): that makes an object of each number, 8 KB a vector.
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

/** One text's failure is not the others'. */
function outcomesOf(reason: unknown): readonly (Float32Array | Error)[] {
  if (reason instanceof PartlyFailed) return reason.outcomes;
  throw reason;
}
