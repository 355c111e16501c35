import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { deadlinesMs } from '../../../../src/database/postgres/connection.ts';
import type { SealedEntry } from '../../../../src/embeddings/vector-cache.ts';
import type { Stores } from '../../../../src/service/stores.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { holdLocks, openPostgres, runSql } from '../../../helpers/postgres.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { closeAll, openReplica, openReplicas, patient } from './replicas.ts';

const keyOf = (n: number): string => hash('sha256', String(n), 'binary');
const entryOf = (n: number): SealedEntry => ({
  key: keyOf(n),
  sealed: new Uint8Array(new Float32Array(512).fill(n).buffer),
});
/** Returns the number of an entry. */
const numberIn = (sealed: Uint8Array | undefined): number | undefined =>
  sealed && new Float32Array(Uint8Array.from(sealed).buffer)[0];
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const everything = { createdBeforeMs: Number.MAX_SAFE_INTEGER, maxBytes: 0 };

describe('vectors that replicas share', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const replicas = await openReplicas(url, 4, patient);
  after(async () => {
    await closeAll(replicas);
  });

  test('the same vectors, written in any order at once, never deadlock', async () => {
    const writer = async ({ vectors }: Stores): Promise<void> => {
      for (let round = 0; round < 2; round += 1) {
        const shuffled = numbers(200).sort(() => Math.random() - 0.5);
        await vectors.put(shuffled.map(entryOf), 1_000);
      }
    };
    // More than a replica has connections, so that some wait for one.
    const writers = 8;
    await Promise.all(
      replicas.flatMap(({ stores }) => Array.from({ length: writers }, () => writer(stores))),
    );
    const found = await replicas[3]!.stores.vectors.get(numbers(200).map(keyOf));
    assert.deepEqual(found.map(numberIn), numbers(200));
  });

  test('a restored database without the vectors counts them again, and keeps what is new', async () => {
    const restored = await postgres.createDatabase();
    await using replica = await openReplica(restored, patient);
    const { vectors } = replica.stores;
    const bounds = { createdBeforeMs: 0, maxBytes: 100_000 };
    await runSql(restored, 'INSERT INTO vector_bytes (slot, bytes) VALUES (0, 60000), (1, 60000)');
    for (const round of [0, 1]) {
      const kept = numbers(20).map((n) => 20 * round + n);
      await vectors.put(kept.map(entryOf), 1_000);
      await vectors.prune(bounds);
      assert.deepEqual((await vectors.get(kept.map(keyOf))).map(numberIn), kept);
    }
  });

  test('while the table is locked, lookups find nothing and do not pile up, and they find vectors again afterwards', async () => {
    const deadlines = { ...patient.deadlines, lookUp: deadlinesMs.lookUp };
    await using replica = await openReplica(url, { deadlines });
    const { vectors } = replica.stores;
    await vectors.put([entryOf(8)], 1_000);
    const locks = await holdLocks(url, 'LOCK TABLE vectors');
    await assert.rejects(vectors.get([keyOf(8)]), /could not be read within/);
    for (let i = 0; i < 50; i++) assert.deepEqual(await vectors.get([keyOf(8)]), [undefined]);
    const [row] = await runSql(
      url,
      `SELECT count(*)::INT AS waiting FROM pg_locks WHERE relation = 'vectors'::regclass AND NOT granted`,
    );
    assert.ok(row?.waiting <= 1, `${row?.waiting} wait`);
    await locks[Symbol.asyncDispose]();
    // On a busy machine, a lookup can fail again.
    await eventually(async () => (await vectors.get([keyOf(8)]).catch(() => []))[0] !== undefined);
  });

  test('many concurrent lookups each get their own vectors', async () => {
    await Promise.all(
      numbers(300).map(async (i) => {
        const wanted = [i % 200, (i * 7) % 200, 1_000 + i];
        const found = await replicas[i % 4]!.stores.vectors.get(wanted.map(keyOf));
        assert.deepEqual(found.map(numberIn), [wanted[0], wanted[1], undefined]);
      }),
    );
  });

  test('replicas that prune at once delete the surplus once', async () => {
    const { vectors } = replicas[0]!.stores;
    await vectors.prune(everything);
    for (let n = 0; n < 6_000; n += 500) {
      await vectors.put(
        numbers(500).map((i) => entryOf(n + i)),
        n,
      );
    }
    const bounds = { createdBeforeMs: 0, maxBytes: 1_000 * 512 * 4 };
    await Promise.all(replicas.map(({ stores }) => stores.vectors.prune(bounds)));
    await vectors.prune(bounds);
    const [row] = await runSql(url, 'SELECT count(*)::INT AS n, min(created_at)::INT AS oldest FROM vectors');
    assert.deepEqual(row, { n: 1_000, oldest: 5_000 });
  });
});
