import { type InputType, TextRefused } from '../../packages/engine/src/index.ts';
import { codeOf } from '../errors.ts';
import type { Sharer, Weights } from '../lib/fair-order.ts';
import { type InTurn, stepInTurns } from '../lib/fair-turns.ts';
import type { Limited } from '../quota/ask.ts';
import type { TraceSpan } from '../traces/span.ts';
import type { Batcher } from './batcher.ts';
import { Charge, type ChargeParts, type Counted } from './charge.ts';
import { throwIfGone, unlessGone } from './client-gone.ts';
import type { CacheKeys, CacheOwner } from './fingerprint.ts';
import { isGone, isOwnFailure, isRefusal } from './own-failure.ts';
import { invalidText } from './text-errors.ts';
import type { CachedVector, VectorCache } from './vector-cache.ts';

export interface EmbedRequest extends CacheOwner, Limited {
  /** The tier of the organization. */
  readonly tier: string;
  readonly keyId: string;
  readonly texts: readonly string[];
  readonly inputType: InputType;
  /** Whether to cut texts over the model's limit. Otherwise they are rejected. */
  readonly truncate: boolean;
  /** The field that errors about a text name. Default: `input`. */
  readonly param?: string | undefined;
  /** Undefined: vectors are read from the cache and kept in it. */
  readonly cacheControl?: CacheControl | undefined;
  /**
   * Makes the request wait while others do, however long, until the signal aborts. Its caller bounds how many such
   * texts there are. Others that ask for the same texts don't wait for it.
   */
  readonly background?: AbortSignal | undefined;
  /** Runs the parts of a request with many texts that take the event loop. */
  readonly inTurn: InTurn;
  /** Gets the time that the request has waited for its computation, and has the request's span. */
  readonly trace?: QueueTrace | undefined;
  /** Returns a signal that aborts when the client disconnects. Called only if memory does not hold every text. */
  readonly signal?: (() => AbortSignal) | undefined;
}

export interface QueueTrace {
  /** Milliseconds from the admission to the queue until the start of the computation. */
  queueMs: number;
  /** Undefined: the request is not traced. */
  readonly span?: TraceSpan | undefined;
}

/** What `Cache-Control` of a request asks for: to compute every text again, and to keep none of the vectors. */
export interface CacheControl {
  readonly noCache: boolean;
  readonly noStore: boolean;
}

export interface EmbedResult {
  /** One embedding per text, in order. */
  readonly embeddings: readonly CachedVector[];
  /** The cache key of each text. */
  readonly keys: readonly string[];
  /** Whether nothing was computed for this request. Such a request is not counted. */
  readonly cached: boolean;
  /** How many of the texts were not computed for this request. A text that repeats another one is one of them. */
  readonly cachedTexts: number;
  /** Null: the request is not counted. */
  readonly counted: Counted | null;
  readonly promptTokens: number;
  /** The indexes of the texts that were cut. */
  readonly truncated: readonly number[];
}

/**
 * The texts that requests are looking up or computing, by cache key. Each promise settles as the request does, with the
 * vector, or with undefined if the request failed for a reason of its own: one that waited then computes the text.
 */
export type UnderWay = Map<string, Promise<CachedVector | undefined>>;

/** The keys of more texts are computed in a turn of the event loop. */
const fewTexts = 64;

/** The dependencies of `embed`. */
export interface EmbedParts extends ChargeParts {
  readonly cacheKeys: CacheKeys;
  readonly cache: Pick<VectorCache, 'peek' | 'lookup' | 'remember'>;
  readonly underWay: UnderWay;
  readonly batcher: Batcher;
  /** The parts of the queue and of the computing time that organizations get, by tier. */
  readonly weights: Weights;
  /** The model's name. */
  readonly model: string;
}

/**
 * Embeds texts. Returns the result itself if memory holds every text, and a promise otherwise. Throws
 * `rate_limit_exceeded` (the quota), `overloaded` (the queue), `unavailable` (the engine, the quota's store),
 * `invalid_request` (a text is too long and may not be cut) or `request_timeout` (the client has disconnected).
 * A request that throws is not counted, unless vectors that were computed for it are in the cache: because its client
 * disconnected after the computation had begun, or because it then failed for a text that it had waited for.
 */
export function embed(parts: EmbedParts, request: EmbedRequest): EmbedResult | Promise<EmbedResult> {
  const textKey = parts.cacheKeys(request, request.inputType, request.truncate);
  const texts: string[] = [];
  const keys: string[] = [];
  const add = (index: number): void => {
    // A lone surrogate has no UTF-8 encoding, so neither the digest nor the tokenizer could tell two of them apart.
    const text = request.texts[index]!.toWellFormed();
    texts.push(text);
    keys.push(textKey(text));
  };
  const { length } = request.texts;
  if (length > fewTexts)
    return stepInTurns(length, request.inTurn, add).then(() => embedWith(parts, request, texts, keys));
  for (let index = 0; index < length; index++) add(index);
  return embedWith(parts, request, texts, keys);
}

function embedWith(
  parts: EmbedParts,
  request: EmbedRequest,
  texts: readonly string[],
  keys: readonly string[],
): EmbedResult | Promise<EmbedResult> {
  const known = keys.map((key) => parts.cache.peek(key));
  if (known.every((value) => value !== undefined)) return resultOf(known, keys, null);
  return new Completion(parts, request).complete(texts, keys, known);
}

function resultOf(
  embeddings: readonly CachedVector[],
  keys: readonly string[],
  counted: Counted | null,
): EmbedResult {
  const promptTokens = embeddings.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const truncated = embeddings.some(({ isCut }) => isCut)
    ? [...embeddings.keys()].filter((i) => embeddings[i]!.isCut)
    : noIndexes;
  const cachedTexts = keys.length - (counted?.texts ?? 0);
  return { embeddings, keys, cached: counted === null, cachedTexts, counted, promptTokens, truncated };
}

const noIndexes: readonly number[] = [];

/** A text whose vector this request does not have yet. */
interface UnknownText {
  readonly key: string;
  readonly text: string;
  /** The index of its first occurrence in the request. */
  readonly index: number;
}

/** Completes one request whose texts are not all in memory. */
class Completion {
  readonly #parts: EmbedParts;
  readonly #request: EmbedRequest;
  readonly #known = new Map<string, CachedVector>();
  readonly #charge: Charge;
  /** Aborts when the client disconnects. */
  readonly #signal: AbortSignal | undefined;

  constructor(parts: EmbedParts, request: EmbedRequest) {
    this.#parts = parts;
    this.#request = request;
    const { orgId, keyId, limitsKeyId, limitsUserId, background } = request;
    const sender = { keyId, limitsKeyId, limitsUserId, model: parts.model };
    this.#charge = new Charge(parts, orgId, { ...sender, isBackground: background !== undefined });
    this.#signal = request.signal?.();
  }

  async complete(
    texts: readonly string[],
    keys: readonly string[],
    known: readonly (CachedVector | undefined)[],
  ): Promise<EmbedResult> {
    const unknown = new Map<string, UnknownText>();
    keys.forEach((key, index) => {
      const value = known[index];
      if (value) this.#known.set(key, value);
      else if (!unknown.has(key)) unknown.set(key, { key, text: texts[index]!, index });
    });
    try {
      let left: readonly UnknownText[] = [...unknown.values()];
      while (left.length > 0) left = await this.#learn(left);
    } catch (reason) {
      await this.#charge.fail({ isClientGone: isGone(reason) });
      throw reason;
    }
    const embeddings = keys.map((key) => this.#known.get(key)!);
    return resultOf(embeddings, keys, this.#charge.counted);
  }

  /**
   * Waits for the texts that other requests are computing, and computes the others. Returns the texts that are still
   * unknown, because the request that was computing them failed.
   */
  async #learn(unknown: readonly UnknownText[]): Promise<UnknownText[]> {
    const elsewhere = unknown.map(({ key }) => this.#parts.underWay.get(key));
    const own = unknown.filter((_, i) => !elsewhere[i]);
    // The order matters: two requests that each have a text of the other would otherwise wait for each other forever.
    if (own.length > 0) await this.#learnForAll(own);
    if (own.length === unknown.length) return [];
    const waited = elsewhere.map((computation) => computation?.catch((reason) => this.#shareFailure(reason)));
    const values = await unlessGone(Promise.all(waited), this.#signal);
    return unknown.filter(({ key }, i) => elsewhere[i] && !this.#know(key, values[i]));
  }

  /** Gets the vectors of texts, also for the requests that come for them meanwhile. */
  async #learnForAll(own: readonly UnknownText[]): Promise<void> {
    const { underWay } = this.#parts;
    const ended = Promise.withResolvers<void>();
    for (const { key } of own) {
      const value = ended.promise.then(() => this.#known.get(key));
      // Prevents an unhandled rejection when no request waits for it.
      value.catch(() => {});
      underWay.set(key, value);
    }
    try {
      await this.#lookUpOrCompute(own);
    } catch (reason) {
      // Give the unit back first: a request that then computes a text itself may need it.
      await this.#charge.fail({ isClientGone: isGone(reason) });
      // Those that wait belong to the same organization and would meet the same used-up quota, overload or engine
      // failure. Retrying one by one would only make each wait longer and cost a flush each.
      if (!isOwnFailure(reason)) ended.reject(reason);
      throw reason;
    } finally {
      for (const { key } of own) underWay.delete(key);
      ended.resolve();
    }
  }

  /** A request that already holds a unit can compute a text that another request was refused. */
  #shareFailure(reason: unknown): undefined {
    if (!isRefusal(reason) || !this.#charge.isCounted) throw reason;
  }

  async #lookUpOrCompute(unknown: readonly UnknownText[]): Promise<void> {
    const stored = await this.#parts.cache.lookup(
      unknown.map(({ key }) => key),
      this.#request.inTurn,
    );
    const uncomputed = unknown.filter(({ key }, i) => !this.#know(key, stored[i]));
    if (uncomputed.length > 0) await this.#compute(uncomputed);
  }

  async #compute(uncomputed: readonly UnknownText[]): Promise<void> {
    const { batcher, weights } = this.#parts;
    const { orgId, tier, inputType, truncate, trace, background, param } = this.#request;
    const signal = this.#signal;
    const organization = { id: orgId, weight: weights.weightOf(tier) };
    const texts = uncomputed.map(({ text }) => text);
    throwIfGone(signal);
    if (background)
      await batcher.waitInBackground(
        organization,
        texts,
        AbortSignal.any([background, signal ?? background]),
      );
    const end = background ? undefined : await this.#begin(organization, texts);
    const admittedMs = performance.now();
    const queued = trace?.span?.begin('queue');
    let computed: TraceSpan | undefined;
    /** A computation that nobody waits for, because its count has failed. */
    let abandoned: Promise<unknown> | undefined;
    try {
      const prepared = await batcher.prepare(texts, { organization, inputType, truncate, signal });
      throwIfGone(signal);
      // An upstream replaces the counts of the prepared texts.
      const taken = prepared.map(({ tokenCount }) => tokenCount);
      const tokens = sumOfTokens(prepared);
      // A text alone is computed while it is being counted. Its vector is used only after that. Under load, texts
      // that are counted together then share a batch.
      const isEarly = texts.length === 1 && batcher.isIdle && this.#charge.hasAmpleRoom(1, tokens);
      const portion = this.#charge.reserve(texts.length, tokens, signal);
      if (!isEarly) await portion.taken();
      const computing = batcher.compute(prepared, {
        organization,
        signal,
        isBackground: background !== undefined,
        onStart: () => {
          if (trace) trace.queueMs += performance.now() - admittedMs;
          portion.start();
          queued?.end();
          computed = trace?.span && batcher.beginSpan(trace.span);
          return computed?.headers;
        },
        onVector: (i, vector) => portion.add(uncomputed[i]!.key, vector, taken[i]!),
      });
      abandoned = computing.catch(() => {});
      await portion.taken();
      abandoned = undefined;
      const vectors = await computing;
      // An upstream counts the tokens itself.
      computed?.end({ 'gen_ai.usage.input_tokens': sumOfTokens(vectors) });
      await portion.keep();
      for (const [i, { key }] of uncomputed.entries()) this.#know(key, vectors[i]!);
    } catch (reason) {
      (computed ?? queued)?.end({}, codeOf(reason) ?? 'unavailable');
      if (!(reason instanceof TextRefused)) throw reason;
      throw invalidText(reason, uncomputed[reason.position]!.index, param);
    } finally {
      if (abandoned) void abandoned.then(end);
      else end?.();
    }
  }

  /** Waits for the limits of requests at a time, and admits the texts. Returns the function that ends both. */
  async #begin(organization: Sharer, texts: readonly string[]): Promise<() => void> {
    const { batcher, quota } = this.#parts;
    const end = await quota.begin(this.#request.orgId, this.#request, this.#signal);
    try {
      throwIfGone(this.#signal);
      const leave = batcher.admit(organization, texts);
      return () => {
        leave();
        end();
      };
    } catch (reason) {
      end();
      throw reason;
    }
  }

  /** Notes a vector. Reports whether there is one. */
  #know(key: string, value: CachedVector | undefined): boolean {
    if (value) this.#known.set(key, value);
    return value !== undefined;
  }
}

function sumOfTokens(texts: readonly { readonly tokenCount: number }[]): number {
  return texts.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}
