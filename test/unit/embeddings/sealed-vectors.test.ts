import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealedVectors } from '../../../src/embeddings/sealed-vectors.ts';
import type { SealedStore } from '../../../src/embeddings/vector-cache.ts';

const key = 'n'.repeat(32) + 's'.repeat(32);
const value = { vector: Float32Array.of(0.5, -0.25), tokenCount: 7, isCut: true };

function openStore() {
  const rows = new Map<string, Uint8Array>();
  const store: SealedStore = {
    get: async (keys) => keys.map((name) => rows.get(name)),
    put: async (entries) => {
      for (const { key, sealed } of entries) rows.set(key, sealed);
    },
    prune: async () => {},
  };
  return { rows, vectors: sealedVectors(store) };
}

test('a stored vector has the half of its key that names it, and nothing of its numbers', async () => {
  const { rows, vectors } = openStore();
  await vectors.put([{ key, value }], 0);
  const [[name, sealed]] = [...rows] as [[string, Uint8Array]];
  assert.equal(name, 'n'.repeat(32));
  assert.ok(!Buffer.from(sealed).includes(Buffer.from(value.vector.buffer)));
  assert.deepEqual(await vectors.get([key]), [value]);
});

test('a vector that is damaged, cut short or of another text counts as unknown', async () => {
  const { rows, vectors } = openStore();
  await vectors.put([{ key, value }], 0);
  const sealed = rows.get('n'.repeat(32))!;
  for (let i = 0; i < sealed.length; i += 1) {
    rows.set(
      'n'.repeat(32),
      Uint8Array.from(sealed, (byte, at) => (at === i ? byte ^ 1 : byte)),
    );
    assert.deepEqual(await vectors.get([key]), [undefined], `byte ${i}`);
    rows.set('n'.repeat(32), sealed.slice(0, i));
    assert.deepEqual(await vectors.get([key]), [undefined], `${i} bytes`);
  }
  rows.set('n'.repeat(32), sealed);
  assert.deepEqual(await vectors.get(['n'.repeat(32) + 't'.repeat(32)]), [undefined]);
});
