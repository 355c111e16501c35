import type { CachedVector, VectorEntry, VectorStore } from '../../../src/embeddings/vector-cache.ts';

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
