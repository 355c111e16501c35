import { LRUCache } from 'lru-cache';

/**
 * A map bounded by the total size of its values, such as their bytes or their number. Evicts the least recently used
 * value first.
 */
export class Lru<V extends NonNullable<unknown>> {
  readonly #entries: LRUCache<string, V>;

  /** `sizeOf` returns a whole number, 1 or more. A value larger than `maxSize` is not stored. */
  constructor(maxSize: number, sizeOf: (value: V, key: string) => number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, Math.floor(maxSize)),
      sizeCalculation: sizeOf,
    });
  }

  get count(): number {
    return this.#entries.size;
  }

  get size(): number {
    return this.#entries.calculatedSize;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
