import { type InputType, TextRefused } from '../../packages/engine/src/index.ts';
import type { Weights } from '../lib/fair-order.ts';
import { type InTurn, stepInTurns } from '../lib/fair-turns.ts';
import type { Batcher } from './batcher.ts';
import { throwIfGone, unlessFollowed, unlessGone } from './client-gone.ts';
import type { CacheKeys } from './fingerprint.ts';
import { isGone, isOwnFailure, isRefusal } from './own-failure.ts';
import { type ReservationParts, Reservations, type Taken } from './reservations.ts';
import type { Flight, SingleFlight } from './single-flight.ts';
import { invalidText, TextFailed } from './text-errors.ts';
import type { CachedVector, VectorCache } from './vector-cache.ts';

export interface EmbedRequest {
  readonly orgId: string;
  /** As in `CacheOwner`. */
  readonly cacheSecret: string;
  /** The tier of the organization. */
  readonly tier: string;
  readonly keyId: string;
  /** As in `Ask`. */
  readonly limitsKeyId: string;
  readonly limitsUserId: string | null;
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
  /** Gets the time that the request has waited for its computation. */
  readonly trace?: QueueTrace | undefined;
  /** Returns a signal that aborts when the client disconnects. Called only if memory does not hold every text. */
  readonly signal?: (() => AbortSignal) | undefined;
}

export interface QueueTrace {
  /** Milliseconds from the admission to the queue until the start of the computation. */
  queueMs: number;
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
  /** As `Reservations.day`. */
  readonly day: number | null;
  readonly promptTokens: number;
  /** The indexes of the texts that were cut. */
  readonly truncated: readonly number[];
}

/** The keys of more texts are computed in a turn of the event loop. */
const fewTexts = 64;

/** The dependencies of `embed`. */
export interface EmbedParts<R extends Taken> extends ReservationParts<R> {
  readonly cacheKeys: CacheKeys;
  readonly cache: Pick<VectorCache, 'peek' | 'lookup' | 'remember'>;
  readonly flights: SingleFlight<CachedVector>;
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
 * disconnected after the computation had begun, or because it then waited for a text of another request that failed.
 */
export function embed<R extends Taken>(
  parts: EmbedParts<R>,
  request: EmbedRequest,
): EmbedResult | Promise<EmbedResult> {
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

function embedWith<R extends Taken>(
  parts: EmbedParts<R>,
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
  day: number | null,
): EmbedResult {
  const promptTokens = embeddings.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const truncated = embeddings.some(({ isCut }) => isCut)
    ? [...embeddings.keys()].filter((i) => embeddings[i]!.isCut)
    : noIndexes;
  return { embeddings, keys, cached: day === null, day, promptTokens, truncated };
}

const noIndexes: readonly number[] = [];

/** A text whose vector this request does not have yet. */
interface UnknownText {
  readonly key: string;
  readonly text: string;
  /** The index of its first occurrence in the request. */
  readonly index: number;
}

interface InFlight {
  readonly unknown: UnknownText;
  readonly flight: Flight<CachedVector>;
}

/** Completes one request whose texts are not all in memory. */
class Completion<R extends Taken> {
  readonly #parts: EmbedParts<R>;
  readonly #request: EmbedRequest;
  readonly #known = new Map<string, CachedVector>();
  readonly #unknown = new Map<string, UnknownText>();
  readonly #reservations: Reservations<R>;
  /** Aborts when the client disconnects. */
  readonly #signal: AbortSignal | undefined;

  constructor(parts: EmbedParts<R>, request: EmbedRequest) {
    this.#parts = parts;
    this.#request = request;
    const { orgId, keyId, limitsKeyId, limitsUserId, background } = request;
    const isBackground = background !== undefined;
    const of = { keyId, limitsKeyId, limitsUserId, model: parts.model, isBackground };
    this.#reservations = new Reservations(parts, orgId, of);
    this.#signal = request.signal?.();
  }

  async complete(
    texts: readonly string[],
    keys: readonly string[],
    known: readonly (CachedVector | undefined)[],
  ): Promise<EmbedResult> {
    keys.forEach((key, index) => {
      const value = known[index];
      if (value) this.#known.set(key, value);
      else if (!this.#unknown.has(key)) this.#unknown.set(key, { key, text: texts[index]!, index });
    });
    while (this.#unknown.size > 0) await this.#learn();
    const embeddings = keys.map((key) => this.#known.get(key)!);
    return resultOf(embeddings, keys, this.#reservations.day);
  }

  /** Leads or follows a flight for each unknown text. Texts whose leader gave up stay unknown until the next round. */
  async #learn(): Promise<void> {
    const { led, followed } = this.#claim();
    try {
      // The order matters: two requests that each lead a text the other follows would otherwise deadlock.
      await this.#lead(led, followed);
      await this.#follow(followed);
    } catch (reason) {
      // Give the unit back first: a follower that retries may need it.
      await this.#reservations.fail({ isClientGone: isGone(reason) });
      for (const { flight } of led) {
        if (isOwnFailure(reason)) flight.giveUp();
        // The followers belong to the same organization and would meet the same used-up quota, overload or engine
        // failure. Retrying one by one would only make each wait longer and cost a flush each.
        else flight.fail(reason);
      }
      throw reason;
    } finally {
      for (const { flight } of followed) flight.unfollow();
    }
  }

  /** Must not await: otherwise two requests could both lead the same text. */
  #claim(): { led: InFlight[]; followed: InFlight[] } {
    const { cache, flights } = this.#parts;
    const led: InFlight[] = [];
    const followed: InFlight[] = [];
    for (const unknown of this.#unknown.values()) {
      const underWay = flights.get(unknown.key);
      const value = cache.peek(unknown.key);
      if (value) this.#know(unknown, value);
      else if (underWay) followed.push({ unknown, flight: underWay });
      else led.push({ unknown, flight: flights.lead(unknown.key) });
    }
    for (const { flight } of followed) flight.follow();
    return { led, followed };
  }

  async #lead(led: readonly InFlight[], followed: readonly InFlight[]): Promise<void> {
    if (led.length === 0) return;
    const keys = led.map(({ unknown }) => unknown.key);
    const stored = await this.#parts.cache.lookup(keys, this.#request.inTurn);
    const uncomputed = led.filter((inFlight, i) => {
      const value = stored[i];
      if (value) this.#land(inFlight, value);
      return !value;
    });
    if (uncomputed.length > 0) await this.#compute(uncomputed, followed);
  }

  async #compute(uncomputed: readonly InFlight[], followed: readonly InFlight[]): Promise<void> {
    const { batcher, weights } = this.#parts;
    const { orgId, tier, inputType, truncate, trace, background } = this.#request;
    const organization = { id: orgId, weight: weights.weightOf(tier) };
    const texts = uncomputed.map(({ unknown }) => unknown.text);
    const waitedFor = uncomputed.map(({ flight }) => flight);
    const { signal, endWatch } = unlessFollowed(this.#signal, waitedFor);
    throwIfGone(signal);
    if (background)
      await batcher.waitInBackground(
        organization,
        texts,
        AbortSignal.any([background, signal ?? background]),
      );
    const leave = background ? undefined : batcher.admit(organization, texts);
    const release = (): void => {
      endWatch();
      leave?.();
    };
    const admittedMs = performance.now();
    /** A computation that nobody waits for, because its count has failed. */
    let abandoned: Promise<unknown> | undefined;
    try {
      const prepared = await batcher.prepare(texts, { organization, inputType, truncate, signal });
      throwIfGone(signal);
      // A request that will fail for a text that it follows must not compute the others first.
      for (const { unknown, flight } of followed) {
        if (flight.failure && !isRefusal(flight.failure.reason))
          this.#shareFailure(unknown, flight.failure.reason);
      }
      // An upstream replaces the counts of the prepared texts.
      const taken = prepared.map(({ tokenCount }) => tokenCount);
      const tokens = sumOfTokens(prepared);
      // A text alone is computed while it is being counted. Its vector is used only after that. Under load, texts
      // that are counted together then share a batch.
      const isEarly = texts.length === 1 && batcher.isIdle && this.#reservations.hasAmpleRoom(1, tokens);
      const reservation = this.#reservations.reserve(texts.length, tokens, signal);
      if (!isEarly) await reservation.taken();
      const computing = batcher.compute(prepared, {
        organization,
        signal,
        isBackground: background !== undefined,
        onStart: () => {
          if (trace) trace.queueMs += performance.now() - admittedMs;
          reservation.start();
        },
        onVector: (i, vector) => reservation.add(uncomputed[i]!.unknown.key, vector, taken[i]!),
      });
      abandoned = computing.catch(() => {});
      await reservation.taken();
      abandoned = undefined;
      const vectors = await computing;
      await reservation.keep();
      for (const [i, inFlight] of uncomputed.entries()) this.#land(inFlight, vectors[i]!);
    } catch (reason) {
      if (!(reason instanceof TextRefused || reason instanceof TextFailed)) throw reason;
      const { unknown, flight } = uncomputed[reason.position]!;
      flight.fail(reason);
      throw reason instanceof TextRefused ? invalidText(reason, unknown.index, this.#request.param) : reason;
    } finally {
      if (abandoned) void abandoned.then(release);
      else release();
    }
  }

  async #follow(followed: readonly InFlight[]): Promise<void> {
    if (followed.length === 0) return;
    const outcomes = await unlessGone(
      Promise.allSettled(followed.map(({ flight }) => flight.outcome)),
      this.#signal,
    );
    followed.forEach(({ unknown }, i) => {
      const outcome = outcomes[i]!;
      if (outcome.status === 'rejected') this.#shareFailure(unknown, outcome.reason);
      else if (outcome.value) this.#know(unknown, outcome.value);
    });
  }

  #shareFailure(unknown: UnknownText, reason: unknown): void {
    if (reason instanceof TextRefused) throw invalidText(reason, unknown.index, this.#request.param);
    // A request that already holds a unit can compute a text that another request was refused.
    if (!isRefusal(reason) || !this.#reservations.isCounted) throw reason;
  }

  #land({ unknown, flight }: InFlight, value: CachedVector): void {
    flight.land(value);
    this.#know(unknown, value);
  }

  #know(unknown: UnknownText, value: CachedVector): void {
    this.#known.set(unknown.key, value);
    this.#unknown.delete(unknown.key);
  }
}

function sumOfTokens(texts: readonly { readonly tokenCount: number }[]): number {
  return texts.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}
