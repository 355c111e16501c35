import { ServiceError } from '../errors.ts';
import type { Batcher } from './batcher.ts';
import { throwIfGone, unlessFollowed, unlessGone } from './client-gone.ts';
import type { InputType } from './engines/engine.ts';
import type { CacheKeys } from './fingerprint.ts';
import type { Flight, SingleFlight } from './single-flight.ts';
import { TextFailed } from './text-failed.ts';
import { TextTooLong } from './text-too-long.ts';
import type { CachedVector, VectorCache } from './vector-cache.ts';

/** One unit a request that computes. `R` is the proof of one that was taken. */
export interface Quota<R> {
  /** Durable when it resolves. Throws `rate_limit_exceeded` when refused. */
  reserve(orgId: string, keyId: string): Promise<R>;
  giveBack(reservation: R): Promise<void>;
}

export interface EmbedRequest {
  readonly orgId: string;
  readonly keyId: string;
  readonly texts: readonly string[];
  readonly inputType: InputType;
  /** Whether a text over the model's limit is cut; otherwise it is refused. */
  readonly truncate: boolean;
  /** Asked once something has to be computed; aborts when the client has gone. */
  readonly signal?: (() => AbortSignal) | undefined;
}

export interface EmbedResult {
  /** Text by text, in order. */
  readonly embeddings: readonly CachedVector[];
  /** The cache key of each text. */
  readonly keys: readonly string[];
  /** Whether nothing was computed for this request; then it isn't counted. */
  readonly cached: boolean;
  readonly promptTokens: number;
}

/** What embedding works with. */
export interface EmbedParts<R> {
  readonly cacheKeys: CacheKeys;
  readonly cache: VectorCache;
  readonly flights: SingleFlight<CachedVector>;
  readonly batcher: Batcher;
  readonly quota: Quota<R>;
  /** Told when a unit could not be given back: the organization stays charged for it. */
  readonly onGiveBackError: (reason: unknown) => void;
}

/**
 * Embeds texts: at once when memory knows them all, else as a promise. Throws `rate_limit_exceeded` (the quota),
 * `overloaded` (the queue), `unavailable` (the engine, the quota's store), `invalid_request` (a text too long that may
 * not be cut) or `request_timeout` (the client has gone). No request that throws is counted.
 */
export function embed<R>(parts: EmbedParts<R>, request: EmbedRequest): EmbedResult | Promise<EmbedResult> {
  const textKey = parts.cacheKeys(request.orgId, request.inputType, request.truncate);
  // A lone surrogate has no UTF-8, so that neither digest nor tokenizer could tell it from another.
  const texts = request.texts.map((text) => text.toWellFormed());
  const keys = texts.map(textKey);
  const known = keys.map((key) => parts.cache.peek(key));
  if (known.every((value) => value !== undefined)) return resultOf(known, keys, true);
  return new Completion(parts, request).complete(texts, keys, known);
}

function resultOf(
  embeddings: readonly CachedVector[],
  keys: readonly string[],
  cached: boolean,
): EmbedResult {
  const promptTokens = embeddings.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return { embeddings, keys, cached, promptTokens };
}

/** A text that this request doesn't know yet. */
interface UnknownText {
  readonly key: string;
  readonly text: string;
  /** Its first place in the request. */
  readonly index: number;
}

interface InFlight {
  readonly unknown: UnknownText;
  readonly flight: Flight<CachedVector>;
}

/** One request, from what memory knows of it to all of it. */
class Completion<R> {
  readonly #parts: EmbedParts<R>;
  readonly #request: EmbedRequest;
  readonly #known = new Map<string, CachedVector>();
  readonly #unknown = new Map<string, UnknownText>();
  #reservation: R | undefined;
  /** Of the client, as long as its going changes anything. */
  #signal: AbortSignal | undefined;

  constructor(parts: EmbedParts<R>, request: EmbedRequest) {
    this.#parts = parts;
    this.#request = request;
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
    return resultOf(embeddings, keys, this.#reservation === undefined);
  }

  /** Leads or follows a flight for each unknown text. Texts whose leader gave up stay unknown, for another round. */
  async #learn(): Promise<void> {
    const { led, followed } = this.#claim();
    try {
      // In this order: two requests that each lead what the other follows must not wait for each other.
      await this.#lead(led);
      await this.#follow(followed);
    } catch (reason) {
      // First, since a follower that tries again may need this very unit.
      await this.#giveBack();
      for (const { flight } of led) {
        if (isOwnFailure(reason)) flight.giveUp();
        // A refusal, an overload or a broken engine was met while the followers waited, all of the same organization:
        // asking again one by one would hold each longer, cost a flush each, and end the same.
        else flight.fail(reason);
      }
      throw reason;
    } finally {
      for (const { flight } of followed) flight.unfollow();
    }
  }

  /** Without an await, so that no two requests lead the same text. */
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

  async #lead(led: readonly InFlight[]): Promise<void> {
    if (led.length === 0) return;
    const stored = await this.#parts.cache.lookup(led.map(({ unknown }) => unknown.key));
    const uncomputed = led.filter((inFlight, i) => {
      const value = stored[i];
      if (value) this.#land(inFlight, value);
      return !value;
    });
    if (uncomputed.length > 0) await this.#compute(uncomputed);
  }

  async #compute(uncomputed: readonly InFlight[]): Promise<void> {
    const { batcher, cache, quota } = this.#parts;
    const { orgId, keyId, inputType, truncate } = this.#request;
    const texts = uncomputed.map(({ unknown }) => unknown.text);
    const waitedFor = uncomputed.map(({ flight }) => flight);
    const signal = unlessFollowed(this.#signal, waitedFor);
    throwIfGone(signal);
    const release = batcher.admit(texts);
    try {
      this.#reservation ??= await quota.reserve(orgId, keyId);
      const vectors = await batcher.embed(texts, { inputType, truncate, signal });
      uncomputed.forEach((inFlight, i) => {
        cache.remember(inFlight.unknown.key, vectors[i]!);
        this.#land(inFlight, vectors[i]!);
      });
      // What was computed is counted, whether or not the client waits for the rest.
      this.#signal = undefined;
    } catch (reason) {
      if (!(reason instanceof TextTooLong || reason instanceof TextFailed)) throw reason;
      const { unknown, flight } = uncomputed[reason.position]!;
      flight.fail(reason);
      throw reason instanceof TextTooLong ? reason.at(unknown.index) : reason;
    } finally {
      release();
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
    if (reason instanceof TextTooLong) throw reason.at(unknown.index);
    // With a unit of its own already, this request may compute what another was refused.
    const isRefusal = reason instanceof ServiceError && reason.code === 'rate_limit_exceeded';
    if (!isRefusal || this.#reservation === undefined) throw reason;
  }

  #land({ unknown, flight }: InFlight, value: CachedVector): void {
    flight.land(value);
    this.#know(unknown, value);
  }

  #know(unknown: UnknownText, value: CachedVector): void {
    this.#known.set(unknown.key, value);
    this.#unknown.delete(unknown.key);
  }

  async #giveBack(): Promise<void> {
    if (this.#reservation === undefined) return;
    try {
      await this.#parts.quota.giveBack(this.#reservation);
    } catch (reason) {
      this.#parts.onGiveBackError(reason);
    }
  }
}

/** Failures that concern one request, and none of those that wait for the same texts. */
function isOwnFailure(reason: unknown): boolean {
  if (reason instanceof TextFailed) return true;
  return (
    reason instanceof ServiceError && (reason.code === 'invalid_request' || reason.code === 'request_timeout')
  );
}
