import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDatabase } from '../../../../src/database/sqlite/database.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';

it('the write-ahead log shrinks after a long reader has ended', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'test.db');
  using writer = openDatabase(path, { durable: false });
  using reader = openDatabase(path, { durable: false });
  writer.exec('CREATE TABLE numbers (bytes BLOB)');
  reader.exec('BEGIN; SELECT * FROM numbers');
  const mebibytes = () => statSync(`${path}-wal`).size / 2 ** 20;
  const add = (count: number) =>
    writer.prepare('INSERT INTO numbers VALUES (zeroblob(?))').run(count * 2 ** 20);
  for (let times = 0; times < 3; times += 1) add(30);
  assert.ok(mebibytes() > 90);
  reader.exec('COMMIT');
  for (let times = 0; times < 2; times += 1) add(1);
  assert.ok(mebibytes() <= 64, `${mebibytes()}`);
});
