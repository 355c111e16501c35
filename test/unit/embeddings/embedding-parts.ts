import type { TestContext } from 'node:test';
import { Batcher, type BatcherOptions } from '../../../src/embeddings/batcher.ts';
import type { ChargeParts } from '../../../src/embeddings/charge.ts';
import { type EmbedRequest, type EmbedResult, embed, type UnderWay } from '../../../src/embeddings/embed.ts';
import { cacheKeys } from '../../../src/embeddings/fingerprint.ts';
import {
  type CachedVector,
  VectorCache,
  type VectorEntry,
  type VectorStore,
} from '../../../src/embeddings/vector-cache.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { Ask as QuotaAsk } from '../../../src/quota/ask.ts';
import type { Reservation } from '../../../src/quota/ledger-store.ts';
import { inTurn } from '../../helpers/turns.ts';
import { FixtureEngine, fixtureTokens, fixtureVector } from './fixture-engine.ts';

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
      hasRoom: async () => true,
      onError: () => {},
    }),
    underWay: new Map() as UnderWay,
    batcher: new Batcher(engine, clock, options.batcher),
    quota,
    model: engine.model.name,
    weights: { weightOf: () => 1 },
    onGiveBackError: (reason: unknown) => void giveBackErrors.push(reason),
  };
  const requestOf = (ask: Ask): EmbedRequest => ({
    orgId: 'org',
    cacheSecret: '',
    keyId: 'key',
    limitsKeyId: 'key',
    limitsUserId: null,
    tier: 'free',
    inputType: 'document',
    truncate: true,
    inTurn,
    ...ask,
  });
  return {
    ...parts,
    engine,
    store,
    giveBackErrors,
    /** The store holds these texts, but memory doesn't. */
    storeTexts: (texts: readonly string[], orgId = 'org') => {
      const textKey = parts.cacheKeys({ orgId, cacheSecret: '' }, 'document', true);
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
  isCut: fixtureTokens(text) > 128,
});

const receipt = { day: 0, monthStartMs: 0, window: null, limits: [] };

type Quota = ChargeParts['quota'];

/** A quota that remembers each unit taken and released. */
export class CountingQuota implements Quota {
  readonly reserved: Reservation[] = [];
  readonly givenBack: Reservation[] = [];
  /** The requests that have begun and not ended. */
  inProgress = 0;
  /** The units of each organization. */
  limit = Number.POSITIVE_INFINITY;
  /** Whether so much is left that a text can be computed while it is counted. */
  isAmple = false;
  /** Replaced by tests to delay or fail. */
  beforeReserve: () => Promise<void> = async () => {};
  beforeGiveBack: () => Promise<void> = async () => {};

  async reserve(orgId: string, ask: QuotaAsk): Promise<Reservation> {
    await this.beforeReserve();
    if (ask.units.requests > 0 && this.usedBy(orgId) >= this.limit)
      throw new ServiceError('rate_limit_exceeded', 'Quota exhausted.');
    const unit = { ...ask, orgId, receipt };
    this.reserved.push(unit);
    return unit;
  }

  hasAmpleRoom(): boolean {
    return this.isAmple;
  }

  async begin(): Promise<() => void> {
    this.inProgress += 1;
    return () => {
      this.inProgress -= 1;
    };
  }

  async settle(unit: Reservation, units: QuotaAsk['units']): Promise<Reservation> {
    return { ...unit, units };
  }

  async giveBack(unit: Reservation): Promise<void> {
    await this.beforeGiveBack();
    this.givenBack.push(unit);
  }

  usedBy(orgId: string): number {
    return this.countedBy(orgId, 'requests');
  }

  countedBy(orgId: string, unit: keyof QuotaAsk['units']): number {
    const sum = (units: readonly Reservation[]): number =>
      units.reduce((total, counted) => total + (counted.orgId === orgId ? counted.units[unit] : 0), 0);
    return sum(this.reserved) - sum(this.givenBack);
  }

  /** How often a key took a unit, and how often it released one. */
  movesOf(keyId: string): [reserved: number, givenBack: number] {
    const ofKey = (unit: Reservation): boolean => unit.keyId === keyId && unit.units.requests > 0;
    return [this.reserved.filter(ofKey).length, this.givenBack.filter(ofKey).length];
  }
}

/** Vectors in a map, in the order in which they were written. */
export class MemoryVectorStore implements VectorStore {
  readonly #rows = new Map<string, { value: CachedVector; createdMs: number }>();
  /** Replaced by tests to delay or fail. */
  before: (operation: 'get' | 'put' | 'prune', keyCount: number) => Promise<void> = async () => {};

  get count(): number {
    return this.#rows.size;
  }

  async get(keys: readonly string[]): Promise<(CachedVector | undefined)[]> {
    await this.before('get', keys.length);
    return keys.map((key) => this.#rows.get(key)?.value);
  }

  async put(entries: readonly VectorEntry[], nowMs: number): Promise<void> {
    await this.before('put', entries.length);
    for (const { key, value } of entries) {
      this.#rows.delete(key);
      this.#rows.set(key, { value, createdMs: nowMs });
    }
  }

  async prune(
    { createdBeforeMs, maxBytes }: { createdBeforeMs: number; maxBytes: number },
    signal?: AbortSignal,
  ): Promise<void> {
    await this.before('prune', 0);
    if (signal?.aborted) return;
    const rows = [...this.#rows];
    let bytes = rows.reduce((sum, [, { value }]) => sum + value.vector.byteLength, 0);
    for (const [key, { value, createdMs }] of rows) {
      if (createdMs >= createdBeforeMs && bytes <= maxBytes) continue;
      this.#rows.delete(key);
      bytes -= value.vector.byteLength;
    }
  }
}
