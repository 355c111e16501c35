import { LRUCache } from 'lru-cache';

/** A map bounded by the bytes of its values. Evicts the least recently used value first. */
export class Lru<V extends NonNullable<unknown>> {
  readonly #entries: LRUCache<string, V>;

  /** `sizeOfBytes` returns a whole number, 1 or more. A value larger than `maxBytes` is not stored. */
  constructor(maxBytes: number, sizeOfBytes: (value: V, key: string) => number) {
    this.#entries = new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes)),
      sizeCalculation: sizeOfBytes,
    });
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
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
