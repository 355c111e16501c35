import { monotonicClock } from '../lib/clock.ts';
import { Batcher, type BatcherOptions } from './batcher.ts';
import { type EmbedParts, type EmbedRequest, type EmbedResult, embed, type Quota } from './embed.ts';
import { type EmbeddingFormat, EmbeddingMemo } from './embedding-memo.ts';
import { embeddingsBody } from './encode.ts';
import type { Engine, Model, Upstream } from './engines/engine.ts';
import { cacheKeys } from './fingerprint.ts';
import { SingleFlight } from './single-flight.ts';
import type { VectorCache } from './vector-cache.ts';

export interface ServedModelOptions<R> {
  /** Other names that requests may use. */
  readonly aliases?: readonly string[] | undefined;
  /** What the cache's keys derive from. */
  readonly secret: Uint8Array;
  /** Shared by all models: their keys differ by fingerprint. */
  readonly cache: VectorCache;
  readonly quota: Quota<R>;
  readonly maxMemoBytes: number;
  readonly batching: BatcherOptions;
  /** Told when a unit could not be given back. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** A model that requests may name, with all that is its own: engine, queue, admission, and what is being computed. */
export class ServedModel<R = unknown> {
  /** Other names that requests may use. */
  readonly aliases: readonly string[];
  readonly #engine: Engine;
  readonly #parts: EmbedParts<R>;
  /** Not shared: an answer that is remembered whole holds the model's name, and two names may share a fingerprint. */
  readonly #memo: EmbeddingMemo;

  constructor(engine: Engine, options: ServedModelOptions<R>) {
    this.#engine = engine;
    this.aliases = options.aliases ?? [];
    this.#memo = new EmbeddingMemo(options.maxMemoBytes);
    this.#parts = {
      cacheKeys: cacheKeys(options.secret, engine.model.fingerprint),
      cache: options.cache,
      flights: new SingleFlight(),
      batcher: new Batcher(engine, monotonicClock, {
        ...options.batching,
        ...(engine.maxBatchTexts !== undefined && { maxBatchTexts: engine.maxBatchTexts }),
      }),
      quota: options.quota,
      onGiveBackError: options.onGiveBackError,
    };
  }

  get model(): Model {
    return this.#engine.model;
  }

  /** Of its engine, for the log. */
  get settings(): Engine['settings'] {
    return this.#engine.settings;
  }

  /** None of a model that is computed here. */
  get upstreams(): readonly Upstream[] {
    return this.#engine.upstreams ?? [];
  }

  get queue(): Batcher['stats'] {
    return this.#parts.batcher.stats;
  }

  /** As `embed` in embed.ts. */
  embed(request: EmbedRequest): EmbedResult | Promise<EmbedResult> {
    return embed(this.#parts, request);
  }

  /** The response's body: at once for a few texts, as a promise for many. */
  encode(
    result: EmbedResult,
    { format, dimensions }: { format: EmbeddingFormat; dimensions: number },
  ): Buffer | Promise<Buffer> {
    return embeddingsBody({ ...result, model: this.model.name, format, dimensions, memo: this.#memo });
  }

  /** As `Engine.ready`. */
  ready(): Promise<void> {
    return this.#engine.ready();
  }

  /** Finishes what is under way. */
  async close(): Promise<void> {
    await this.#parts.batcher.close();
    await this.#engine.close();
  }
}
