import {
  type Alias,
  type Engine,
  type InputType,
  type Model,
  NotTokenized,
  type Tokenization,
  type Upstream,
} from '../../packages/engine/src/index.ts';
import { invalidRequest, notFound, ServiceError, unavailable } from '../errors.ts';
import { monotonicClock } from '../lib/clock.ts';
import type { Weights } from '../lib/fair-order.ts';
import { FairTurns, type InTurn } from '../lib/fair-turns.ts';
import { Batcher, type BatcherOptions, type BatcherStats } from './batcher.ts';
import type { ChargeParts } from './charge.ts';
import {
  type CacheControl,
  type EmbedParts,
  type EmbedRequest,
  type EmbedResult,
  embed,
  type UnderWay,
} from './embed.ts';
import { type EmbeddingFormat, EmbeddingMemo } from './embedding-memo.ts';
import { embeddingsBody, shorten } from './encode.ts';
import { cacheKeys } from './fingerprint.ts';
import { type Lifecycle, lifecycleHeaders, lifecycleOf, statusOf } from './lifecycle.ts';
import type { OutputType } from './output-types.ts';
import { piecesOf, unitsIn } from './preparer.ts';
import type { VectorCache } from './vector-cache.ts';

export interface ServedModelOptions {
  /** Other names that requests can use. */
  readonly aliases?: readonly Alias[] | undefined;
  /** The secret that the cache keys are derived from. */
  readonly secret: Uint8Array;
  /** Shared by all models. Their keys differ by fingerprint. */
  readonly cache: VectorCache;
  readonly quota: ChargeParts['quota'];
  readonly price: ChargeParts['price'];
  readonly weights: Weights;
  readonly maxMemoBytes: number;
  readonly batching: BatcherOptions;
  /** Called when a quota unit could not be given back. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/** A model that requests can name, with its own engine, queue, admission limit and computations under way. */
export class ServedModel {
  /** Other names that requests can use. */
  readonly aliases: readonly Alias[];
  readonly #engine: Engine;
  readonly #parts: EmbedParts;
  /** Describe the model in every response with its vectors. */
  readonly headers: Readonly<Record<string, string>>;
  readonly #lifecycle: Lifecycle;
  /** Not shared: a memoized response contains the model's name, and two names can share a fingerprint. */
  readonly #memo: EmbeddingMemo;

  readonly #tokenizing = new FairTurns(1);
  /** Apart from those of requests, which must not wait for background work. */
  readonly #underWayInBackground: UnderWay = new Map();

  constructor(engine: Engine, options: ServedModelOptions) {
    this.#engine = engine;
    this.aliases = options.aliases ?? [];
    refuseTooLarge(this.aliases, engine.model);
    this.#lifecycle = lifecycleOf(engine.model);
    const { fingerprint } = engine.model;
    this.headers = { 'x-embedding-fingerprint': fingerprint, ...lifecycleHeaders(this.#lifecycle) };
    this.#memo = new EmbeddingMemo(options.maxMemoBytes);
    this.#parts = {
      cacheKeys: cacheKeys(options.secret, engine.model.fingerprint),
      cache: {
        peek: (key) => options.cache.peek(key),
        lookup: (keys, inTurn) => options.cache.lookup(keys, inTurn),
        remember: (key, value) => {
          this.#memo.delete(key);
          options.cache.remember(key, value);
        },
      },
      underWay: new Map(),
      batcher: new Batcher(engine, monotonicClock, {
        ...options.batching,
        ...(engine.maxBatchTexts !== undefined && { maxBatchTexts: engine.maxBatchTexts }),
      }),
      quota: options.quota,
      price: options.price,
      model: engine.model.name,
      weights: options.weights,
      onGiveBackError: options.onGiveBackError,
    };
  }

  get model(): Model {
    return this.#engine.model;
  }

  /** The engine's settings, for the log. */
  get settings(): Engine['settings'] {
    return this.#engine.settings;
  }

  /** The upstream servers. Empty for a model that runs in this process. */
  get upstreams(): readonly Upstream[] {
    return this.#engine.upstreams ?? [];
  }

  get queue(): BatcherStats {
    return this.#parts.batcher.stats;
  }

  /** Throws `model_retired` after the model's sunset. */
  refuseIfRetired(nowMs: number): void {
    const { sunset, replacement } = this.#lifecycle;
    if (sunset === null || statusOf(this.#lifecycle, nowMs) !== 'retired') return;
    const instead = replacement === null ? '' : `. Use ${replacement} instead`;
    throw new ServiceError('model_retired', `${this.model.name} was retired on ${sunset}${instead}`, {
      param: 'model',
    });
  }

  /** Calls `embed` in embed.ts. */
  embed(request: EmbedRequest): EmbedResult | Promise<EmbedResult> {
    const { cacheControl, background } = request;
    const parts = background ? { ...this.#parts, underWay: this.#underWayInBackground } : this.#parts;
    return embed(cacheControl ? partsFor(cacheControl, parts) : parts, request);
  }

  /**
   * Returns what `Engine.tokenize` does, piece by piece, in the organization's turns. Throws `invalid_request`
   * for a text that is too long, and `not_found` if the engine has no tokenizer.
   */
  async *tokenize(
    { orgId, tier }: Pick<EmbedRequest, 'orgId' | 'tier'>,
    texts: readonly string[],
    inputType: InputType,
    how: Tokenization,
  ): AsyncGenerator<Uint8Array, void> {
    const engine = this.#engine;
    if (!engine.tokenize) throw notFound(`${this.model.name} has no tokenizer here`);
    const organization = { id: orgId, weight: this.#parts.weights.weightOf(tier) };
    for (const piece of piecesOf(texts)) {
      const turn = () =>
        engine.tokenize!(piece, inputType, how).catch((reason) => {
          throw reason instanceof NotTokenized ? invalidRequest(reason.message) : unavailable(reason);
        });
      yield await this.#tokenizing.run(organization, unitsIn(piece), turn);
    }
  }

  /** Returns the response body: a buffer for few texts, a promise for many. */
  encode(
    { embeddings, keys, cached, cachedTexts, promptTokens, truncated }: EmbedResult,
    { format, type, dimensions }: { format: EmbeddingFormat; type: OutputType; dimensions: number },
    inTurn: InTurn,
  ): Buffer | Promise<Buffer> {
    // Written out, because it is done for every response.
    const form = { format, type, dimensions, model: this.model, memo: this.#memo };
    const body = { embeddings, keys, cached, cachedTexts, promptTokens, truncated, ...form };
    return embeddingsBody(body, inTurn);
  }

  /** Returns the vectors of a result, shortened to `dimensions`. */
  vectorsOf({ embeddings }: EmbedResult, dimensions: number): Float32Array[] {
    return embeddings.map(({ vector }) => shorten(vector, dimensions));
  }

  /** Calls `Engine.ready`. */
  ready(): Promise<void> {
    return this.#engine.ready();
  }

  /** Waits for running requests, then closes the engine. */
  async close(): Promise<void> {
    await this.#parts.batcher.close();
    await this.#engine.close();
  }
}

/**
 * Returns the parts for a request with cache control. It shares no computation with other requests: with `noCache` it
 * must compute every text itself, and with `noStore` others would get a vector that is not kept for them.
 */
function partsFor({ noCache, noStore }: CacheControl, parts: EmbedParts): EmbedParts {
  const { cache } = parts;
  const limited: EmbedParts['cache'] = {
    peek: (key) => (noCache ? undefined : cache.peek(key)),
    lookup: async (keys, inTurn) => (noCache ? keys.map(() => undefined) : cache.lookup(keys, inTurn)),
    remember: (key, value) => {
      if (!noStore) cache.remember(key, value);
    },
  };
  return { ...parts, cache: limited, underWay: new Map() };
}

function refuseTooLarge(aliases: readonly Alias[], model: Model): void {
  for (const { name, dimensions = 1 } of aliases) {
    if (dimensions <= model.dimensions) continue;
    throw new Error(
      `model ${model.name}: the alias "${name}" asks for ${dimensions} dimensions, but the model has ` +
        `${model.dimensions}`,
    );
  }
}
