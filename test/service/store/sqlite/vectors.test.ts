import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { SealedEntry } from '../../../../src/embeddings/vector-cache.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { Ledger } from '../../../../src/quota/ledger.ts';
import { openSqliteStores } from '../../../../src/service/sqlite/open.ts';
import { askOf } from '../../../helpers/asks.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { organizationRow } from '../../../helpers/stored.ts';

const mebibyte = 1_048_576;
const longAgo = Number.MIN_SAFE_INTEGER;
const entriesOf = (count: number, dimensions: number): SealedEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    key: hash('sha256', `${dimensions} ${n}`, 'binary'),
    sealed: new Uint8Array(new Float32Array(dimensions).fill(n).buffer),
  }));

/** The bytes of the file's pages in use. */
function bytesInUse(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}

for (const dimensions of [384, 1_024, 3_072]) {
  test(`the bound on the cache bounds its size on disk, with vectors of ${dimensions} dimensions`, async (t) => {
    using directory = temporaryDirectory();
    const stores = await openSqliteStores(directory.path, systemClock);
    t.after(() => stores.close());
    const count = Math.ceil((6 * mebibyte) / dimensions / Float32Array.BYTES_PER_ELEMENT);
    const entries = entriesOf(count, dimensions);
    for (let from = 0; from < count; from += 256) {
      await stores.vectors.put(entries.slice(from, from + 256), 1_000 + from);
    }
    const maxBytes = 4 * mebibyte;
    await stores.vectors.prune({ createdBeforeMs: longAgo, maxBytes });
    const used = bytesInUse(join(directory.path, 'cache.db'));
    assert.ok(used < 1.1 * maxBytes, `${used} bytes`);
    const kept = (await stores.vectors.get(entries.map(({ key }) => key))).filter(Boolean).length;
    const vectorBytes = kept * dimensions * Float32Array.BYTES_PER_ELEMENT;
    assert.ok(vectorBytes > 0.7 * maxBytes, `${vectorBytes} bytes of vectors`);
  });
}

test('a cache whose vectors are not encrypted is emptied', async (t) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'cache.db');
  const [entry] = entriesOf(1, 16) as [SealedEntry];
  {
    using database = new DatabaseSync(path);
    database.exec(`CREATE TABLE vectors (id INTEGER PRIMARY KEY, key BLOB NOT NULL, vector BLOB NOT NULL,
        token_count INTEGER NOT NULL, created_at INTEGER NOT NULL);
      CREATE TABLE vector_bytes (bytes INTEGER NOT NULL); INSERT INTO vector_bytes VALUES (64)`);
    const insert = database.prepare('INSERT INTO vectors VALUES (1, ?, ?, 1, 1000)');
    insert.run(Buffer.from(entry.key, 'latin1'), entry.sealed);
  }
  const stores = await openSqliteStores(directory.path, systemClock);
  t.after(() => stores.close());
  assert.deepEqual(await stores.vectors.get([entry.key]), [undefined]);
  await stores.vectors.put([entry], 1_000);
  assert.deepEqual(await stores.vectors.get([entry.key]), [entry.sealed]);
  await stores.vectors.prune({ createdBeforeMs: 2_000, maxBytes: mebibyte });
  assert.deepEqual(await stores.vectors.get([entry.key]), [undefined]);
});

test('decisions continue while the file of the cache is locked', async (t) => {
  using directory = temporaryDirectory();
  const stores = await openSqliteStores(directory.path, systemClock);
  t.after(() => stores.close());
  const orgId = 'org';
  await stores.organizations.insert(organizationRow(orgId));
  const ledger = new Ledger(stores.ledger, systemClock);
  await stores.vectors.put(entriesOf(10, 16), 1_000);
  using other = new DatabaseSync(join(directory.path, 'cache.db'));
  other.exec('BEGIN IMMEDIATE');
  let isPruning = true;
  const pruned = stores.vectors.prune({ createdBeforeMs: 2_000, maxBytes: mebibyte }).finally(() => {
    isPruning = false;
  });
  // Many at once, because the cache waits only two seconds for the lock.
  for (let n = 0; n < 5; n += 1) {
    await Promise.all(Array.from({ length: 20 }, () => ledger.reserve(orgId, askOf('key'))));
  }
  assert.equal(isPruning, true);
  other.exec('ROLLBACK');
  await pruned;
  assert.equal((await stores.vectors.get(entriesOf(10, 16).map(({ key }) => key))).filter(Boolean).length, 0);
});
