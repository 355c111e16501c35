import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { CachedVector, VectorEntry, VectorStore } from '../../src/embeddings/vector-cache.ts';

const keyOf = (name: string | number): string => hash('sha512', String(name), 'binary');
const entryOf = (name: string | number, value: CachedVector): VectorEntry => ({ key: keyOf(name), value });
const numbered = (n: number): CachedVector => ({
  vector: Float32Array.of(n, -n / 3),
  tokenCount: n,
  isCut: false,
});
const longAgo = { createdBeforeMs: Number.MIN_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/** What every store of vectors guarantees. `open` is called once; each test leaves the store empty for the next. */
export function vectorStoreContract(
  name: string,
  open: () => Promise<{ store: VectorStore; close(): Promise<void> }>,
): void {
  describe(`vector store: ${name}`, () => {
    let store: VectorStore;
    let close: () => Promise<void>;

    before(async () => {
      const opened = await open();
      store = opened.store;
      close = () => opened.close();
    });
    beforeEach(() => store.prune({ ...longAgo, createdBeforeMs: Number.MAX_SAFE_INTEGER }));
    after(() => close());

    it('returns every bit as stored', async () => {
      const vector = Float32Array.of(0, -0, 1, -1 / 3, 1e-45, -1.1754944e-38, 3.4028235e38, 0.1);
      await store.put([entryOf('a', { vector, tokenCount: 17, isCut: false })], 1_000);
      const [value] = await store.get([keyOf('a')]);
      assert.ok(value?.vector instanceof Float32Array);
      assert.deepEqual(bitsOf(value.vector), bitsOf(vector));
      assert.equal(value.tokenCount, 17);
    });

    it('stores a part of a larger buffer without the rest', async () => {
      const whole = Float32Array.of(1, 2, 3, 4, 5, 6);
      await store.put(
        [entryOf('part', { vector: whole.subarray(2, 4), tokenCount: 1, isCut: false })],
        1_000,
      );
      whole.fill(9, 0, 2);
      const [value] = await store.get([keyOf('part')]);
      assert.deepEqual([...value!.vector], [3, 4]);
    });

    it('distinguishes a vector with zero tokens from an unknown vector', async () => {
      await store.put(
        [entryOf('empty', { vector: Float32Array.of(0, 0), tokenCount: 0, isCut: false })],
        1_000,
      );
      assert.equal((await store.get([keyOf('empty')]))[0]?.tokenCount, 0);
    });

    it('returns vectors in the requested order, unknown keys as undefined and repeated ones each time', async () => {
      await store.put([entryOf(1, numbered(1)), entryOf(2, numbered(2)), entryOf(3, numbered(3))], 1_000);
      const values = await store.get([3, 'unknown', 1, 3, 'other', 2].map(keyOf));
      assert.deepEqual(
        values.map((value) => value?.tokenCount),
        [3, undefined, 1, 3, undefined, 2],
      );
    });

    it('distinguishes keys that differ in one bit, whatever their bytes', async () => {
      const names = [
        '\0'.repeat(32),
        `${'\0'.repeat(31)}\x01`,
        '\xff'.repeat(32),
        `${'\xff'.repeat(31)}\xfe`,
      ];
      const keys = names.map((name) => name + 'secret'.padEnd(32));
      await store.put(
        keys.map((key, i) => ({ key, value: numbered(i) })),
        1_000,
      );
      const values = await store.get(keys);
      assert.deepEqual(
        values.map((value) => value?.tokenCount),
        [0, 1, 2, 3],
      );
    });

    it('overwrites vectors', async () => {
      await store.put([entryOf('a', numbered(1))], 1_000);
      await store.put([entryOf('a', numbered(2))], 2_000);
      const [value] = await store.get([keyOf('a')]);
      assert.deepEqual(value && [...value.vector], [...numbered(2).vector]);
      assert.equal(value?.tokenCount, 2);
    });

    it('stores nothing for no vectors, and returns nothing for no keys', async () => {
      await store.put([], 1_000);
      assert.deepEqual(await store.get([]), []);
    });

    it('stores and returns 2,048 keys at once', async () => {
      const names = Array.from({ length: 2_048 }, (_, n) => n);
      await store.put(
        names.map((n) => entryOf(n, numbered(n))),
        1_000,
      );
      const values = await store.get(names.map(keyOf));
      assert.deepEqual(
        values.map((value) => value?.tokenCount),
        names,
      );
    });

    it('prunes what is older than the bound, and nothing else', async () => {
      await store.put([entryOf('old', numbered(1))], 1_000);
      await store.put([entryOf('bound', numbered(2))], 2_000);
      await store.put([entryOf('new', numbered(3))], 3_000);
      await store.prune({ ...longAgo, createdBeforeMs: 2_000 });
      const values = await store.get(['old', 'bound', 'new'].map(keyOf));
      assert.deepEqual(
        values.map((value) => value?.tokenCount),
        [undefined, 2, 3],
      );
    });

    it('prunes down to the bytes allowed, the oldest first', async () => {
      const vectorBytes = 4_096;
      const names = Array.from({ length: 12 }, (_, n) => n);
      // Written in an order other than that of their keys, so that only the time can decide.
      for (const n of names) {
        const vector = new Float32Array(vectorBytes / Float32Array.BYTES_PER_ELEMENT).fill(n);
        await store.put([entryOf(n, { vector, tokenCount: n, isCut: false })], 1_000 + n);
      }
      await store.prune({ ...longAgo, maxBytes: 6 * vectorBytes });
      const kept = (await store.get(names.map(keyOf))).flatMap((value) => value?.tokenCount ?? []);
      assert.deepEqual(kept, names.slice(names.length - kept.length));
      // A store may count more than the vectors' own bytes, but not many times as much.
      assert.ok(kept.length <= 6 && kept.length >= 3, `${kept.length} vectors were kept`);
    });

    const sized = (n: number, dimensions: number): VectorEntry =>
      entryOf(n, { vector: new Float32Array(dimensions).fill(n), tokenCount: n, isCut: false });
    const keptOf = async (count: number): Promise<number[]> => {
      const values = await store.get(Array.from({ length: count }, (_, n) => keyOf(n)));
      return values.flatMap((value, n) => (value ? [n] : []));
    };

    it('keeps the bytes of vectors of different sizes within the bound, whichever was written last', async () => {
      // 40 large vectors, 320 KB, and a small one.
      for (let n = 0; n < 41; n += 1) await store.put([sized(n, n < 40 ? 2_048 : 2)], 1_000 + n);
      await store.prune({ ...longAgo, maxBytes: 160_000 });
      const kept = await keptOf(41);
      assert.ok(kept.length < 21 && kept.length > 7, `${kept.length} vectors were kept`);
      assert.equal(kept.at(-1), 40);
    });

    it('deletes nothing that fits, even when the vectors written last are large', async () => {
      const small = Array.from({ length: 100 }, (_, n) => sized(n, 64));
      await store.put(small, 1_000);
      await store.put([sized(100, 4_096)], 2_000);
      await store.prune({ ...longAgo, maxBytes: 100_000 });
      assert.equal((await keptOf(101)).length, 101);
    });

    it('counts a rewritten vector once, and no longer counts a deleted one', async () => {
      for (let round = 0; round < 10; round += 1) {
        await store.put([sized(1, 1_000), sized(2, 10)], 1_000 + round);
        await store.put([sized(3, 2_000)], 1_000);
        await store.prune({ ...longAgo, createdBeforeMs: 1_000 + round });
      }
      await store.put([sized(4, 1_000)], 2_000);
      await store.prune({ ...longAgo, maxBytes: 20_000 });
      assert.deepEqual(await keptOf(5), [1, 2, 4]);
    });

    it('prunes thousands of vectors, and stops at the signal', async () => {
      const count = 2_600;
      for (let from = 0; from < count; from += 1_300) {
        const entries = Array.from({ length: 1_300 }, (_, n) => sized(from + n, 2));
        await store.put(entries, 1_000);
      }
      await store.prune({ ...longAgo, createdBeforeMs: 2_000 }, AbortSignal.abort());
      assert.equal((await keptOf(count)).length, count);
      await store.prune({ ...longAgo, createdBeforeMs: 2_000 });
      assert.equal((await keptOf(count)).length, 0);
    });

    it('prunes nothing within both bounds', async () => {
      await store.put([entryOf('a', numbered(1))], 1_000);
      await store.prune({ createdBeforeMs: 1_000, maxBytes: 1_000_000 });
      assert.equal((await store.get([keyOf('a')]))[0]?.tokenCount, 1);
    });
  });
}

const bitsOf = (vector: Float32Array): number[] => [
  ...new Uint32Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength)),
];
