import { setImmediate } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Engine,
  PartlyFailed,
  type PreparedText,
  TextRefused,
} from '../../packages/engine/src/index.ts';
import { unavailable } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Sharer } from '../lib/fair-order.ts';
import { FairTurns } from '../lib/fair-turns.ts';
import type { TraceSpan } from '../traces/span.ts';
import { Admission } from './admission.ts';
import { chooseBatch } from './choose-batch.ts';
import { onceGone, throwIfGone, unlessGone } from './client-gone.ts';
import type { ComputingTime } from './computing-time.ts';
import { FairQueue } from './fair-queue.ts';
import { Job, type JobOptions, type QueuedText } from './job.ts';
import { type Preparation, Preparer } from './preparer.ts';
import { estimatedTokens, roomyQueueTokens } from './request-tokens.ts';
import { TextFailed } from './text-errors.ts';
import type { CachedVector } from './vector-cache.ts';

export interface BatcherOptions {
  /** Maximum number of estimated tokens admitted at a time. Default: room for two of the largest requests. */
  readonly maxAdmittedTokens?: number | undefined;
  readonly maxBatchTexts?: number;
  readonly observer?: BatchObserver;
  readonly computingTime?: ComputingTime;
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

export interface BatcherStats {
  /** Estimated tokens of the requests in progress. */
  readonly admittedTokens: number;
  readonly admittedOrganizations: number;
  readonly waitingTexts: number;
  readonly waitingOrganizations: number;
  readonly runningBatches: number;
}

export interface Computation extends JobOptions {
  /** Aborting it drops the texts that are not in a batch yet. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the texts wait while texts of others do. */
  readonly isBackground?: boolean | undefined;
}

/** How long newer requests may overtake a large one, in milliseconds. */
const patienceMs = 250;

/** How many full batches an organization may be ahead of its share, so that texts of similar length share a batch. */
const maxLeadBatches = 4;

/** How long after a request background work leaves room for the next one, in milliseconds. */
const requestsForMs = 1_000;
/**
 * During that time, background work pauses for `pauseMs` after every `pauseTexts` texts, because a request takes many
 * turns of the event loop.
 */
const pauseTexts = 8;
const pauseMs = 64;

/** Computes the texts of all requests in shared batches of similar length, as many at a time as the engine can run. */
export class Batcher {
  readonly #engine: Engine;
  readonly #maxBatchTexts: number;
  readonly #admission: Admission;
  readonly #observer: BatchObserver | undefined;
  readonly #computingTime: ComputingTime | undefined;
  readonly #clock: Clock;
  readonly #preparer: Preparer;
  readonly #queue: FairQueue;
  /** Texts that are computed while no others wait. */
  readonly #background: FairQueue;
  /** In which background work begins. */
  readonly #backgroundTurns = new FairTurns(1);
  #textsSincePause = 0;
  /** When a request that is not background work was last queued. */
  #lastRequestMs = Number.NEGATIVE_INFINITY;
  /** Running requests and batches. A batch can outlast the requests that its texts belong to. */
  readonly #underWay = new Set<Promise<unknown>>();
  #runningBatches = 0;
  #willStart = false;

  constructor(engine: Engine, clock: Clock, options: BatcherOptions = {}) {
    this.#engine = engine;
    this.#preparer = new Preparer(engine);
    this.#queue = new FairQueue({ overheadTokens: engine.overheadTokens, patienceMs });
    this.#background = new FairQueue({ overheadTokens: engine.overheadTokens, patienceMs });
    this.#clock = clock;
    this.#maxBatchTexts = options.maxBatchTexts ?? 64;
    this.#admission = new Admission(options.maxAdmittedTokens ?? roomyQueueTokens(engine.model.maxTokens));
    this.#observer = options.observer;
    this.#computingTime = options.computingTime;
  }

  get stats(): BatcherStats {
    return {
      admittedTokens: this.#admission.heldTokens,
      admittedOrganizations: this.#admission.organizations,
      waitingTexts: this.#queue.waitingTexts,
      waitingOrganizations: this.#queue.waitingOrganizations,
      runningBatches: this.#runningBatches,
    };
  }

  /** Whether a text that comes now starts at once. */
  get isIdle(): boolean {
    return this.#queue.waitingTexts === 0 && this.#runningBatches < this.#engine.concurrency;
  }

  /**
   * Takes the room that `prepare` and `compute` need, and returns the function that gives it back. Throws `overloaded`
   * when the organization has its share of the queue, and `invalid_request` when the texts can never fit.
   */
  admit(organization: Sharer, texts: readonly string[]): () => void {
    return this.#admission.take(organization, estimatedTokens(texts, this.#engine.model.maxTokens));
  }

  /**
   * Waits for the organization's turn to begin background work, which pauses while requests come. Throws
   * `request_timeout`.
   */
  async waitInBackground(
    organization: Sharer,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { model, overheadTokens } = this.#engine;
    const tokens = estimatedTokens(texts, model.maxTokens) + texts.length * overheadTokens;
    const turn = this.#backgroundTurns.take(organization, tokens);
    try {
      await unlessGone(turn.begun, signal);
      if (!this.#leavesRoom) return;
      this.#textsSincePause += texts.length;
      const pauses = Math.floor(this.#textsSincePause / pauseTexts);
      this.#textsSincePause %= pauseTexts;
      if (pauses > 0) await unlessGone(delay(pauses * pauseMs), signal);
    } finally {
      turn.end();
    }
  }

  /**
   * Prepares one text or more, in order. Throws `TextRefused` for a text that may not be cut, `unavailable` when the
   * engine fails, and `request_timeout` when the signal aborts.
   */
  prepare(texts: readonly string[], preparation: Preparation): Promise<PreparedText[]> {
    return this.#track(this.#prepare(texts, preparation));
  }

  /**
   * Computes one text or more. Returns one vector of `model.dimensions` finite numbers for each text, in order.
   * Throws `TextRefused`, `TextFailed` when the engine has no vector for a text, `unavailable` when the engine fails,
   * `request_timeout` when `signal` aborts before all texts are in a batch.
   */
  compute(prepared: readonly PreparedText[], computation: Computation): Promise<CachedVector[]> {
    return this.#track(this.#compute(prepared, computation));
  }

  /** Begins the computation in the trace of a request. */
  beginSpan(request: TraceSpan): TraceSpan {
    const { model, upstreams } = this.#engine;
    const operation = model.task === 'rerank' ? 'rerank' : 'embeddings';
    const stated = {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model.name,
      // The name that the conventions give to all servers with OpenAI's API.
      'gen_ai.provider.name': upstreams ? 'openai' : 'embedgate',
    };
    return request.begin(`${operation} ${model.name}`, stated, upstreams !== undefined);
  }

  /** Resolves when no requests or batches are left. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  async #prepare(texts: readonly string[], preparation: Preparation): Promise<PreparedText[]> {
    const beganAt = performance.now();
    const prepared = await this.#preparer.prepare(texts, preparation);
    this.#observer?.prepared(performance.now() - beganAt);
    return prepared;
  }

  async #compute(prepared: readonly PreparedText[], computation: Computation): Promise<CachedVector[]> {
    const { signal } = computation;
    throwIfGone(signal);
    const queuedAt = performance.now();
    const job = new Job(prepared, computation);
    const endWatch = onceGone(signal, (reason) => {
      if (job.waiting.size > 0) this.#fail(job, reason);
    });
    if (!job.isBackground) this.#lastRequestMs = queuedAt;
    this.#queueOf(job).add(job, this.#clock.now());
    this.#startSoon();
    const vectors = await job.done.finally(endWatch);
    const meanMs = (sum: number): number => sum / prepared.length;
    this.#observer?.computed({
      queueMs: meanMs(job.startedAtSum) - queuedAt,
      inferenceMs: meanMs(job.completedAtSum - job.startedAtSum),
    });
    return vectors;
  }

  get #leavesRoom(): boolean {
    return performance.now() - this.#lastRequestMs < requestsForMs;
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
      const isBackground = this.#queue.waitingTexts === 0;
      const queue = isBackground ? this.#background : this.#queue;
      const isShared = isBackground && this.#leavesRoom;
      // The next request then finds a worker that is idle.
      if (isShared && this.#runningBatches > 0 && this.#runningBatches === concurrency - 1) return;
      const window = queue.window(maxLeadBatches * this.#engine.maxBatchTokens);
      if (window.length === 0) return;
      // Divide the waiting texts among the idle workers instead of giving them all to the first.
      const share = Math.ceil(queue.waitingTexts / (concurrency - this.#runningBatches));
      const isBrief = isBackground ? isShared : queue.hasBegun;
      const batch = chooseBatch(window, ({ prepared }) => prepared.tokenCount + this.#engine.overheadTokens, {
        maxTokens: isBrief ? this.#engine.briefBatchTokens : this.#engine.maxBatchTokens,
        maxTexts: this.#engine.prefersFullBatches
          ? this.#maxBatchTexts
          : Math.min(this.#maxBatchTexts, share),
        isPadded: this.#engine.padsTexts,
      });
      queue.take(batch, this.#clock.now());
      void this.#track(this.#run(batch));
    }
  }

  async #run(batch: readonly QueuedText[]): Promise<void> {
    this.#runningBatches += 1;
    this.#observer?.batch(
      batch.length,
      batch.reduce((tokens, { prepared }) => tokens + prepared.tokenCount, 0),
    );
    const startedAt = performance.now();
    try {
      const prepared = batch.map((text) => text.prepared);
      // A request to an upstream continues one trace, although its texts can be from several.
      const trace = batch.find(({ job }) => job.trace)?.job.trace;
      const outcomes = await this.#engine.run(prepared, trace).catch(outcomesOf);
      if (outcomes.length !== batch.length) {
        throw new Error(`the engine returned ${outcomes.length} vectors for ${batch.length} texts`);
      }
      const completedAt = performance.now();
      batch.forEach((text, i) => {
        const outcome = outcomes[i]!;
        if (outcome instanceof TextRefused) this.#fail(text.job, outcome.movedTo(text.position));
        else if (outcome instanceof Error) this.#fail(text.job, new TextFailed(outcome));
        else if (this.#isSound(outcome)) text.job.complete(text, outcome, { startedAt, completedAt });
        else this.#fail(text.job, new TextFailed(new Error('the engine returned an unusable vector')));
      });
    } catch (reason) {
      for (const { job } of batch) this.#fail(job, unavailable(reason));
    } finally {
      this.#computingTime?.add(batch, performance.now() - startedAt);
      this.#runningBatches -= 1;
      this.#start();
    }
  }

  #isSound(vector: Float32Array): boolean {
    const { dimensions, task } = this.#engine.model;
    if (vector.length !== dimensions) return false;
    // A loop, because reduce() allocates an object for each number: 8 KB per vector.
    let squares = 0;
    for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
    return Number.isFinite(squares) && (squares > 0 || task === 'rerank');
  }

  #queueOf({ isBackground }: Job): FairQueue {
    return isBackground ? this.#background : this.#queue;
  }

  #fail(job: Job, reason: unknown): void {
    this.#queueOf(job).remove(job);
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
