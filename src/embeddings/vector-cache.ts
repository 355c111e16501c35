import { LRUCache } from 'lru-cache';
import { Gather } from '../../packages/small/src/gather.ts';
import type { Clock } from '../lib/clock.ts';
import type { InTurn } from '../lib/fair-turns.ts';

export interface CachedVector {
  /** Has all of the model's dimensions. */
  readonly vector: Float32Array;
  /** Number of tokens that were computed. */
  readonly tokenCount: number;
  /** Whether the text was longer than what the model reads. */
  readonly isCut: boolean;
}

export interface VectorEntry {
  /** As `TextKey` returns it. */
  readonly key: string;
  readonly value: CachedVector;
}

/** A vector as it is stored. */
export interface SealedEntry {
  /** 32 bytes, as a latin1 string. */
  readonly key: string;
  readonly sealed: Uint8Array;
}

/** Which stored vectors are kept. */
export interface CacheBounds {
  readonly createdBeforeMs: number;
  readonly maxBytes: number;
}

/** The durable tier of the cache. */
export interface DurableStore<Value, Entry> {
  /** Returns one value per key, in order. */
  get(keys: readonly string[]): Promise<(Value | undefined)[]>;
  /** Inserts or overwrites entries. */
  put(entries: readonly Entry[], nowMs: number): Promise<void>;
  /**
   * Deletes the vectors written before `createdBeforeMs`, then the oldest ones until the total size is at most
   * `maxBytes`. Works in small steps, and stops early when the signal aborts.
   */
  prune(bounds: CacheBounds, signal?: AbortSignal): Promise<void>;
}

export type VectorStore = DurableStore<CachedVector, VectorEntry>;
/** What the databases store. */
export type SealedStore = DurableStore<Uint8Array, SealedEntry>;

export interface VectorCacheOptions {
  readonly maxMemoryBytes: number;
  readonly maxStoreBytes: number;
  /** How long the store keeps a vector. */
  readonly maxStoreAgeMs: number;
  /** How long vectors may wait for others, to be written together. By default, they don't. */
  readonly gatherMs?: number;
  /** Reports whether vectors may be stored now. */
  readonly hasRoom: () => Promise<boolean>;
  /** Called on every failure of the store. No store failure fails a request. */
  readonly onError: (reason: unknown, operation: 'get' | 'put' | 'prune') => void;
}

export interface VectorCacheStats {
  readonly memoryHits: number;
  readonly storeHits: number;
  readonly misses: number;
  readonly storeFailures: number;
  /**
   * Vectors that were not written to the store because too many writes were waiting, or because the disk is almost
   * full.
   */
  readonly droppedWrites: number;
  readonly memoryEntries: number;
  readonly memoryBytes: number;
}

const keysPerRead = 128;
/** So many are read without waiting for a turn of the event loop. */
const fewKeys = 16;
const entriesPerWrite = 1_024;
const maxWaitingWrites = 8_192;
/** Memory per entry besides the vector's bytes: the key, the map entry and the objects around the vector. */
const entryOverheadBytes = 352;

/** A cache of vectors by key: recently used ones in memory, all in the store. It can lose entries, but never throws. */
export class VectorCache {
  readonly #store: VectorStore;
  readonly #clock: Clock;
  readonly #options: VectorCacheOptions;
  readonly #memory: LRUCache<string, CachedVector>;
  readonly #writes: Gather<VectorEntry, undefined>;
  readonly #counts = { memoryHits: 0, storeHits: 0, misses: 0, storeFailures: 0, droppedWrites: 0 };

  constructor(store: VectorStore, clock: Clock, options: VectorCacheOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
    this.#memory = new LRUCache({
      // For the library, 0 would be no bound.
      maxSize: Math.max(1, Math.floor(options.maxMemoryBytes)),
      sizeCalculation: ({ vector }) => vector.buffer.byteLength + entryOverheadBytes,
    });
    this.#writes = new Gather((entries) => this.#write(entries), {
      maxItems: entriesPerWrite,
      gatherMs: options.gatherMs ?? 0,
    });
  }

  get stats(): VectorCacheStats {
    const { size, calculatedSize } = this.#memory;
    return { ...this.#counts, memoryEntries: size, memoryBytes: calculatedSize };
  }

  /** Returns the vector if it is in memory. */
  peek(key: string): CachedVector | undefined {
    const value = this.#memory.get(key);
    if (value) this.#counts.memoryHits += 1;
    return value;
  }

  /** Looks up keys in memory, then in the store. Returns one value per key, in order. */
  async lookup(keys: readonly string[], inTurn: InTurn): Promise<(CachedVector | undefined)[]> {
    const values = keys.map((key) => this.peek(key));
    const unknown = [...values.keys()].filter((i) => !values[i]);
    for (let start = 0; start < unknown.length; start += keysPerRead) {
      const chunk = unknown.slice(start, start + keysPerRead);
      const read = () => this.#read(chunk.map((i) => keys[i]!));
      // A store in this process reads on the event loop.
      const found = await (unknown.length > fewKeys ? inTurn(read) : read());
      chunk.forEach((i, place) => {
        const value = found[place];
        if (value) values[i] = this.#hold(keys[i]!, value);
      });
    }
    return values;
  }

  /** Puts a vector into memory immediately, and queues it for the store. */
  remember(key: string, value: CachedVector): void {
    const held = this.#hold(key, value);
    if (this.#writes.waiting < maxWaitingWrites) void this.#writes.add({ key, value: held });
    else this.#counts.droppedWrites += 1;
  }

  /** Applies the age and size limits to the store. Stops early when the signal aborts. */
  async prune(signal?: AbortSignal): Promise<void> {
    const { maxStoreAgeMs, maxStoreBytes } = this.#options;
    try {
      const createdBeforeMs = this.#clock.now() - maxStoreAgeMs;
      await this.#store.prune({ createdBeforeMs, maxBytes: maxStoreBytes }, signal);
    } catch (reason) {
      this.#failed(reason, 'prune');
    }
  }

  /** Resolves when no vector waits to be written. */
  close(): Promise<void> {
    return this.#writes.idle();
  }

  #hold(key: string, value: CachedVector): CachedVector {
    const { vector } = value;
    // Copies it: a view would keep its whole batch or read alive.
    const isView = vector.byteLength !== vector.buffer.byteLength;
    const held = isView ? { ...value, vector: vector.slice() } : value;
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
      if (!(await this.#options.hasRoom())) this.#counts.droppedWrites += entries.length;
      else await this.#store.put(entries, this.#clock.now());
    } catch (reason) {
      this.#failed(reason, 'put');
    }
    return [];
  }

  #failed(reason: unknown, operation: 'get' | 'put' | 'prune'): void {
    this.#counts.storeFailures += 1;
    this.#options.onError(reason, operation);
  }
}
