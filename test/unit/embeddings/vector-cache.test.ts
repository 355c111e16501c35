import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { VectorCache, type VectorCacheOptions } from '../../../src/embeddings/vector-cache.ts';
import { vectorStoreContract } from '../../contracts/vector-cache.ts';
import { inTurn } from '../../helpers/turns.ts';
import { MemoryVectorStore } from './embedding-parts.ts';
import { Gate } from './fixture-engine.ts';

const value = (n: number) => ({ vector: Float32Array.of(n, n + 1), tokenCount: n, isCut: false });

function openCache(t: TestContext, store: MemoryVectorStore, options: Partial<VectorCacheOptions> = {}) {
  const failures: string[] = [];
  const clock = { nowMs: 1_000, now: () => clock.nowMs };
  const cache = new VectorCache(store, clock, {
    maxMemoryBytes: 1_000_000,
    maxStoreBytes: 1_000_000,
    maxStoreAgeMs: 1_000,
    hasRoom: async () => true,
    onError: (_reason, operation) => failures.push(operation),
    ...options,
  });
  t.after(() => cache.close());
  return { cache, clock, failures };
}

vectorStoreContract('in memory', async () => ({ store: new MemoryVectorStore(), close: async () => {} }));

describe('the vector cache', () => {
  it('has a new vector at once in memory, and soon in the store', async (t) => {
    const store = new MemoryVectorStore();
    const { cache } = openCache(t, store);
    cache.remember('a', value(1));
    assert.deepEqual(cache.peek('a'), value(1));
    assert.equal(store.count, 0);
    await cache.close();
    assert.deepEqual(await store.get(['a']), [value(1)]);
  });

  it('returns vectors from memory and store, in order, and then from memory', async (t) => {
    const store = new MemoryVectorStore();
    await store.put([{ key: 'stored', value: value(2) }], 0);
    const { cache } = openCache(t, store);
    cache.remember('held', value(1));
    const expected = [undefined, value(2), value(1), value(2)];
    assert.deepEqual(await cache.lookup(['unknown', 'stored', 'held', 'stored'], inTurn), expected);
    assert.deepEqual(cache.peek('stored'), value(2));
    const { memoryHits, storeHits, misses, memoryEntries } = cache.stats;
    assert.deepEqual(
      { memoryHits, storeHits, misses, memoryEntries },
      { memoryHits: 2, storeHits: 2, misses: 1, memoryEntries: 2 },
    );
  });

  it('reads many keys from the store in parts, and not those in memory', async (t) => {
    const store = new MemoryVectorStore();
    const asked: number[] = [];
    store.before = async (operation, keyCount) => void (operation === 'get' && asked.push(keyCount));
    const { cache } = openCache(t, store);
    const keys = Array.from({ length: 600 }, (_, n) => `key ${n}`);
    cache.remember(keys[0]!, value(0));
    await cache.lookup(keys, inTurn);
    await cache.lookup([keys[0]!], inTurn);
    assert.deepEqual(asked, [128, 128, 128, 128, 87]);
  });

  it('treats a failing store as empty', async (t) => {
    const store = new MemoryVectorStore();
    const { cache, failures } = openCache(t, store);
    store.before = () => Promise.reject(new Error('down'));
    cache.remember('a', value(1));
    assert.deepEqual(await cache.lookup(['a', 'b'], inTurn), [value(1), undefined]);
    await cache.prune();
    await cache.close();
    assert.deepEqual(failures.sort(), ['get', 'prune', 'put']);
    assert.equal(cache.stats.storeFailures, 3);
    assert.equal(cache.stats.misses, 1);
  });

  it('keeps memory within its bytes, and the recently used vectors longest', (t) => {
    const { cache } = openCache(t, new MemoryVectorStore(), { maxMemoryBytes: 1_000 });
    for (let n = 0; n < 3; n++) cache.remember(`key ${n}`, value(n));
    cache.peek('key 0');
    cache.remember('key 3', value(3));
    const held = [0, 1, 2, 3].filter((n) => cache.peek(`key ${n}`));
    assert.ok(held.includes(3) && !held.includes(1), `${held} are held`);
    assert.ok(cache.stats.memoryBytes <= 1_000);
  });

  it('keeps no more than a vector’s own bytes', async (t) => {
    const store = new MemoryVectorStore();
    const { cache } = openCache(t, store);
    const batch = new Float32Array(1_000);
    cache.remember('computed', { vector: batch.subarray(2, 4), tokenCount: 1, isCut: false });
    await cache.close();
    await store.put(
      [{ key: 'stored', value: { vector: batch.subarray(4, 6), tokenCount: 1, isCut: false } }],
      0,
    );
    await cache.lookup(['stored'], inTurn);
    for (const key of ['computed', 'stored']) assert.equal(cache.peek(key)?.vector.buffer.byteLength, 8);
  });

  it('writes one batch at a time of all that wait, and drops the newest when too many wait', async (t) => {
    const store = new MemoryVectorStore();
    const gate = new Gate();
    const writes: number[] = [];
    store.before = async (operation, keyCount) => {
      if (operation === 'put') writes.push(keyCount);
      await gate.pass();
    };
    const { cache } = openCache(t, store);
    cache.remember('first', value(0));
    await gate.reached();
    for (let n = 0; n < 8_192; n++) cache.remember(`key ${n}`, value(n));
    cache.remember('one too many', value(1));
    assert.equal(cache.stats.droppedWrites, 1);
    assert.deepEqual(writes, [1]);
    gate.open();
    await cache.close();
    assert.deepEqual(writes, [1, ...Array(8).fill(1_024)]);
    assert.deepEqual(
      (await store.get(['key 8191', 'one too many'])).map((found) => found?.tokenCount),
      [8_191, undefined],
    );
  });

  it('prunes the store by age and size', async (t) => {
    const store = new MemoryVectorStore();
    const { cache, clock } = openCache(t, store, { maxStoreBytes: 16 });
    for (let n = 0; n < 4; n++) await store.put([{ key: `key ${n}`, value: value(n) }], 1_000 + n);
    clock.nowMs = 2_001;
    await cache.prune();
    assert.deepEqual(
      (await store.get(['key 1', 'key 2', 'key 3'])).map((found) => found?.tokenCount),
      [undefined, 2, 3],
    );
    clock.nowMs = 2_003;
    await cache.prune();
    assert.equal(store.count, 1);
  });

  it('closes only when the store is no longer in use', async (t) => {
    const store = new MemoryVectorStore();
    const gate = new Gate();
    const { cache } = openCache(t, store);
    store.before = gate.pass;
    let isClosed = false;
    cache.remember('a', value(1));
    const closing = cache.close().then(() => {
      isClosed = true;
    });
    await gate.reached();
    await new Promise(setImmediate);
    assert.equal(isClosed, false);
    gate.open();
    await closing;
  });
});
