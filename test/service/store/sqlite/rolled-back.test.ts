import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../../src/store/sqlite/database.ts';
import { kyselyOver } from '../../../../src/store/sqlite/kysely.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';

test('a transaction that a full disk has ended fails with that reason, and the next one succeeds', async (t) => {
  using directory = temporaryDirectory();
  const database = openDatabase(join(directory.path, 'full.db'), { durable: true });
  const db = kyselyOver(database);
  t.after(() => db.destroy());
  database.exec('CREATE TABLE blobs (bytes BLOB)');
  const insert = (bytes: number) =>
    db
      .transaction()
      .execute((transaction) => sql`INSERT INTO blobs VALUES (zeroblob(${bytes}))`.execute(transaction));
  database.exec('PRAGMA max_page_count = 10');
  await assert.rejects(insert(1_000_000), /database or disk is full/);
  await insert(10);
  assert.deepEqual(database.prepare('SELECT count(*) AS n FROM blobs').get()?.n, 1);
});
