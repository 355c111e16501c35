import type { Clock } from '../lib/clock.ts';
import { Gather } from '../lib/gather.ts';
import { Lru } from '../lib/lru.ts';
import { turnOfItsOwn } from '../lib/one-a-turn.ts';

export interface CachedVector {
  /** At the model's full size. */
  readonly vector: Float32Array;
  /** Tokens that were computed for it. */
  readonly tokenCount: number;
}

export interface VectorEntry {
  /** 32 bytes, as a latin1 string. */
  readonly key: string;
  readonly value: CachedVector;
}

/** The durable side of the cache. */
export interface VectorStore {
  /** Answers key by key, in order. */
  get(keys: readonly string[]): Promise<(CachedVector | undefined)[]>;
  /** Writes or overwrites. */
  put(entries: readonly VectorEntry[], nowMs: number): Promise<void>;
  /**
   * Deletes what was written before `createdBeforeMs`, then the oldest until the bytes of all vectors, of whatever sizes, fit. Does so in small
   * steps, and ends early at the signal.
   */
  prune(bounds: { createdBeforeMs: number; maxBytes: number }, signal?: AbortSignal): Promise<void>;
}

export interface VectorCacheOptions {
  readonly maxMemoryBytes: number;
  readonly maxStoreBytes: number;
  /** How long the store keeps a vector. */
  readonly maxStoreAgeMs: number;
  readonly pruneEveryMs: number;
  /** Told of every failure of the store. None fails a request. */
  readonly onError: (reason: unknown, operation: 'get' | 'put' | 'prune') => void;
}

export interface VectorCacheStats {
  readonly memoryHits: number;
  readonly storeHits: number;
  readonly misses: number;
  readonly storeFailures: number;
  /** Vectors that the store never got, because too many waited. */
  readonly droppedWrites: number;
  readonly memoryEntries: number;
  readonly memoryBytes: number;
}

const keysPerRead = 256;
const entriesPerWrite = 256;
const maxWaitingWrites = 8_192;
/** The key, the map's entry and the objects around a vector's own bytes. */
const entryOverheadBytes = 320;

/** Vectors by key: the recently used in memory, the others in the store. It forgets, but never fails. */
export class VectorCache {
  readonly #store: VectorStore;
  readonly #clock: Clock;
  readonly #options: VectorCacheOptions;
  readonly #memory: Lru<CachedVector>;
  readonly #writes: Gather<VectorEntry, undefined>;
  readonly #pruneTimer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #pruning: Promise<void> | undefined;
  readonly #counts = { memoryHits: 0, storeHits: 0, misses: 0, storeFailures: 0, droppedWrites: 0 };

  constructor(store: VectorStore, clock: Clock, options: VectorCacheOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
    this.#memory = new Lru(
      options.maxMemoryBytes,
      ({ vector }) => vector.buffer.byteLength + entryOverheadBytes,
    );
    this.#writes = new Gather((entries) => this.#write(entries), { maxItems: entriesPerWrite });
    this.#pruneTimer = setInterval(() => this.prune(), options.pruneEveryMs).unref();
  }

  get stats(): VectorCacheStats {
    return { ...this.#counts, memoryEntries: this.#memory.count, memoryBytes: this.#memory.bytes };
  }

  /** What memory holds. */
  peek(key: string): CachedVector | undefined {
    const value = this.#memory.get(key);
    if (value) this.#counts.memoryHits += 1;
    return value;
  }

  /** What memory or the store holds, key by key, in order. */
  async lookup(keys: readonly string[]): Promise<(CachedVector | undefined)[]> {
    const values = keys.map((key) => this.peek(key));
    const unknown = [...values.keys()].filter((i) => !values[i]);
    for (let start = 0; start < unknown.length; start += keysPerRead) {
      // A store in this process may answer without leaving the event loop.
      if (start > 0) await turnOfItsOwn();
      const chunk = unknown.slice(start, start + keysPerRead);
      const found = await this.#read(chunk.map((i) => keys[i]!));
      chunk.forEach((i, place) => {
        const value = found[place];
        if (value) values[i] = this.#hold(keys[i]!, value);
      });
    }
    return values;
  }

  /** Holds a vector in memory at once, and in the store soon. */
  remember(key: string, value: CachedVector): void {
    const held = this.#hold(key, value);
    if (this.#writes.waiting < maxWaitingWrites) void this.#writes.add({ key, value: held });
    else this.#counts.droppedWrites += 1;
  }

  /** Applies the bounds of age and size to the store; one at a time. */
  prune(): Promise<void> {
    this.#pruning ??= this.#prune().finally(() => {
      this.#pruning = undefined;
    });
    return this.#pruning;
  }

  /** Writes what waits, and breaks off pruning. Resolves when the store isn't used any more. */
  async close(): Promise<void> {
    clearInterval(this.#pruneTimer);
    this.#closing.abort();
    await Promise.all([this.#writes.idle(), this.#pruning]);
  }

  #hold(key: string, value: CachedVector): CachedVector {
    const { vector, tokenCount } = value;
    // A view would keep the whole batch or the whole read that it is part of in memory.
    const isView = vector.byteLength !== vector.buffer.byteLength;
    const held = isView ? { vector: vector.slice(), tokenCount } : value;
    this.#memory.set(key, held);
    return held;
  }

  async #read(keys: readonly string[]): Promise<(CachedVector | undefined)[]> {
    try {
      const found = await this.#store.get(keys);
      const hits = found.filter((value) => value !== undefined).length;
      this.#counts.storeHits += hits;
      this.#counts.misses += keys.length - hits;
      return found;
    } catch (reason) {
      this.#counts.misses += keys.length;
      this.#failed(reason, 'get');
      return [];
    }
  }

  async #write(entries: readonly VectorEntry[]): Promise<undefined[]> {
    try {
      await this.#store.put(entries, this.#clock.now());
    } catch (reason) {
      this.#failed(reason, 'put');
    }
    return [];
  }

  async #prune(): Promise<void> {
    const { maxStoreAgeMs, maxStoreBytes } = this.#options;
    try {
      const createdBeforeMs = this.#clock.now() - maxStoreAgeMs;
      await this.#store.prune({ createdBeforeMs, maxBytes: maxStoreBytes }, this.#closing.signal);
    } catch (reason) {
      this.#failed(reason, 'prune');
    }
  }

  #failed(reason: unknown, operation: 'get' | 'put' | 'prune'): void {
    this.#counts.storeFailures += 1;
    this.#options.onError(reason, operation);
  }
}
