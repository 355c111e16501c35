/** A map bounded by the bytes of its values; the least recently used leaves first. */
export class Lru<V> {
  readonly #maxBytes: number;
  readonly #sizeOfBytes: (value: V, key: string) => number;
  // A Map iterates in insertion order, so re-inserting on use keeps the oldest use first.
  readonly #entries = new Map<string, V>();
  #bytes = 0;

  /** `sizeOfBytes` must answer the same for an entry as long as it is held. */
  constructor(maxBytes: number, sizeOfBytes: (value: V, key: string) => number) {
    this.#maxBytes = maxBytes;
    this.#sizeOfBytes = sizeOfBytes;
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Holds `value`, unless it alone exceeds the bound. */
  set(key: string, value: V): void {
    this.delete(key);
    const size = this.#sizeOfBytes(value, key);
    if (size > this.#maxBytes) return;
    this.#entries.set(key, value);
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#bytes -= this.#sizeOfBytes(value, key);
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
