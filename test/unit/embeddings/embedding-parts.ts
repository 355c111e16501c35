import type { TestContext } from 'node:test';
import { Batcher, type BatcherOptions } from '../../../src/embeddings/batcher.ts';
import { type EmbedRequest, type EmbedResult, embed } from '../../../src/embeddings/embed.ts';
import { cacheKeys } from '../../../src/embeddings/fingerprint.ts';
import { SingleFlight } from '../../../src/embeddings/single-flight.ts';
import { type CachedVector, VectorCache } from '../../../src/embeddings/vector-cache.ts';
import { CountingQuota } from './counting-quota.ts';
import { FixtureEngine, fixtureTokens, fixtureVector } from './fixture-engine.ts';
import { MemoryVectorStore } from './memory-vector-store.ts';

const clock = { now: () => 0 };

export interface Ask extends Partial<Omit<EmbedRequest, 'texts'>> {
  readonly texts: readonly string[];
}

/** Everything that embedding needs, around an engine, a store and a quota that a test can delay. */
export function openParts(options: { engine?: FixtureEngine; batcher?: BatcherOptions } = {}) {
  const engine = options.engine ?? new FixtureEngine();
  const store = new MemoryVectorStore();
  const quota = new CountingQuota();
  const giveBackErrors: unknown[] = [];
  const parts = {
    cacheKeys: cacheKeys(Buffer.alloc(32), engine.model.fingerprint),
    cache: new VectorCache(store, clock, {
      maxMemoryBytes: 10_000_000,
      maxStoreBytes: 10_000_000,
      maxStoreAgeMs: 1_000,
      onError: () => {},
    }),
    flights: new SingleFlight<CachedVector>(),
    batcher: new Batcher(engine, clock, options.batcher),
    quota,
    model: engine.model.name,
    shares: { sharesOf: () => ({ weight: 1, roomPercent: 50 }) },
    onGiveBackError: (reason: unknown) => void giveBackErrors.push(reason),
  };
  const requestOf = (ask: Ask): EmbedRequest => ({
    orgId: 'org',
    keyId: 'key',
    limitsKeyId: 'key',
    tier: 'free',
    inputType: 'document',
    truncate: true,
    ...ask,
  });
  return {
    ...parts,
    engine,
    store,
    giveBackErrors,
    /** The store holds these texts, but memory doesn't. */
    storeTexts: (texts: readonly string[], orgId = 'org') => {
      const textKey = parts.cacheKeys(orgId, 'document', true);
      const entries = texts.map((text) => ({ key: textKey(text), value: fresh(text, 'document') }));
      return store.put(entries, 0);
    },
    embedNow: (ask: Ask): EmbedResult | Promise<EmbedResult> => embed(parts, requestOf(ask)),
    embed: async (ask: Ask): Promise<EmbedResult> => embed(parts, requestOf(ask)),
    close: (): Promise<void> => parts.cache.close(),
  };
}

/** As `openParts`, closed at the end of the test. */
export function partsFor(t: TestContext, options?: Parameters<typeof openParts>[0]) {
  const parts = openParts(options);
  t.after(parts.close);
  return parts;
}

/** The result of a fresh computation of a text. */
export const fresh = (text: string, inputType: EmbedRequest['inputType'] = 'document'): CachedVector => ({
  vector: fixtureVector(text, inputType),
  tokenCount: Math.min(fixtureTokens(text), 128),
});
