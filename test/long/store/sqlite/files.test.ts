import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../../src/database/sqlite/database.ts';
import { kyselyOver } from '../../../../src/database/sqlite/kysely.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { openSqliteStores } from '../../../../src/service/sqlite/open.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { runCommand } from '../../../helpers/embedgate.ts';
import { slowStatement } from '../../../helpers/second-connection.ts';
import { startService } from '../../../helpers/service.ts';
import { lineOf, organizationRow, recorderOf } from '../../../helpers/stored.ts';

/** Opens a database alone in another process, as a restore does. Returns what that wrote. */
function openedAlone(path: string): string {
  const program = `
    import { openAlone } from ${JSON.stringify(new URL('../../../../src/database/sqlite/database.ts', import.meta.url))};
    openAlone(${JSON.stringify(path)}).close();
    process.stdout.write('opened');`;
  const options = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  return stdout + stderr;
}

test('databases of a running service stay in use when one of its threads opens them later', async () => {
  using directory = temporaryDirectory();
  const stores = await openSqliteStores(directory.path, systemClock);
  // Starts the thread of the cache.
  await stores.vectors.prune({ createdBeforeMs: 0, maxBytes: 1_000_000 });
  const database = join(directory.path, 'embedgate.db');
  const paths = [database, join(directory.path, 'cache.db')];
  // Like a new thread after the death of another.
  openDatabase(database, { durable: true }).close();
  const whileOpen = paths.map(openedAlone);
  await stores.close();
  for (const found of whileOpen) assert.match(found, /is in use: stop the server/);
  assert.deepEqual(paths.map(openedAlone), ['opened', 'opened']);
});

const skip = process.platform === 'win32' && 'Windows has no modes of files';

describe('the databases of an existing data directory', { skip }, () => {
  /** The modes of the files that hold data, by name. A running service also has files that exist only for a moment. */
  const modesIn = (directory: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .flatMap(({ name }) => {
          const found = statSync(join(directory, name), { throwIfNoEntry: false });
          return found ? [[name, (found.mode & 0o777).toString(8)]] : [];
        }),
    );
  const allPrivate = (modes: Record<string, string>): void =>
    assert.deepEqual(
      Object.entries(modes).filter(([, mode]) => mode !== '600'),
      [],
    );

  test('are readable only by their owner, and become so again at a start', async () => {
    using place = temporaryDirectory();
    const dataDir = join(place.path, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    await using service = await startService({ dataDir });
    const modes = modesIn(dataDir);
    for (const name of ['embedgate.db', 'embedgate.db-wal', 'embedgate.db-shm', 'cache.db', 'cache.db-wal']) {
      assert.ok(name in modes, name);
    }
    allPrivate(modes);
    await service.kill('SIGKILL');
    // A start does not repair the secrets' files, which have always been private, nor the lock, which holds no data.
    const databases = Object.keys(modesIn(dataDir)).filter((name) => /\.db(-|$)/.test(name));
    assert.ok(databases.length >= 5);
    for (const name of databases) chmodSync(join(dataDir, name), 0o644);
    await using again = await startService({ dataDir });
    allPrivate(modesIn(dataDir));
    const archive = join(place.path, 'backup.tar.gz');
    const backup = await runCommand(['backup', '--to', archive], again.environment);
    assert.equal(backup.code, 0, backup.stderr);
    allPrivate(modesIn(dataDir));
    await again.stop();
    allPrivate(modesIn(dataDir));
  });
});

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

test('usage records whose write was given up but still executed count once', async (t) => {
  using directory = temporaryDirectory();
  let deadlineMs = 60_000;
  const stores = await openSqliteStores(directory.path, systemClock, undefined, {
    deadlineMs: () => deadlineMs,
  });
  t.after(() => stores.close());
  const [orgId, keyId] = ['org', 'key'];
  await stores.organizations.insert(organizationRow(orgId));
  const errors: unknown[] = [];
  const recorder = recorderOf(stores.usage, (reason) => errors.push(reason));
  for (let i = 0; i < 3; i += 1) recorder.recordLine(lineOf({ orgId, keyId }));
  // The thread is busy until long after the deadline; the write is queued behind it and still executes.
  const { db } = (await stores.authDatabase()) as { db: Parameters<typeof slowStatement>[0] };
  deadlineMs = 50;
  const busy = slowStatement(db).catch(() => {});
  await new Promise(setImmediate);
  await recorder.flush();
  await busy;
  deadlineMs = 60_000;
  assert.equal(errors.length, 1);
  recorder.recordLine(lineOf({ orgId, keyId }));
  while (recorder.waiting > 0) await recorder.flush();
  const day = dayOf(systemClock.now());
  const rows = await stores.usage.rows(orgId, day - 1, day + 1);
  assert.equal(
    rows.reduce((sum, { failed }) => sum + failed, 0),
    4,
  );
  await recorder.flush();
});
