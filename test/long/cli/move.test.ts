import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { migratePostgres } from '../../../src/database/postgres/migrate.ts';
import { movedTables } from '../../../src/service/move/source.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, runCommand, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { holdLocks, openPostgres, runSql } from '../../helpers/postgres.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import {
  endSessions,
  fillDataDirectory,
  leftByDeleted,
  rowsOfSource,
  rowsOfTarget,
  secretsOf,
  waiting,
} from '../../service/cli/moving.ts';

describe('migrate from SQLite to Postgres', async () => {
  const directory = untilEnd(temporaryDirectory());
  const vectors = 3_000;
  const from = `sqlite:${join(directory.path, 'embedgate.db')}`;
  const postgres = untilEnd(await openPostgres());
  const keys = await fillDataDirectory(directory.path, vectors);
  // A server created this one; the command line alone did not need it.
  await using _service = await startService({ dataDir: directory.path });

  const moveTo = (url: string, environment: Environment = {}) =>
    runCommand(['migrate', '--from', from, '--to', url], environment);

  it('copies every table', async () => {
    const database = new DatabaseSync(join(directory.path, 'embedgate.db'), { readOnly: true });
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
    database.close();
    // What running processes write: tables that share a file, and those on the target.
    const own = new Set(['changes', 'leases', 'attempts', 'usage_writers', 'schema_steps', 'schema_lock']);
    // They stay behind: docs/dashboard.md#the-request-log and docs/batches.md.
    for (const table of ['request_log', 'files', 'file_pieces', 'piece_data', 'batches']) own.add(table);
    const found = tables.map(({ name }) => String(name)).filter((name) => !own.has(name));
    assert.deepEqual(found.sort(), [...movedTables].sort());
  });

  it('copies every row unchanged, and keys and cached vectors work on the target', async () => {
    const text = 'cached before the move';
    {
      await using service = await startService({ dataDir: directory.path });
      await (await requestEmbeddings(service.address, keys[0]!, text)).json();
    }
    const url = await postgres.createDatabase();
    // A server that has started on the target already holds leases, and somebody may have tried to sign in.
    await migratePostgres(url);
    await runSql(
      url,
      `INSERT INTO leases VALUES ('alerts', 'a server', ${Date.now()}); INSERT INTO attempts VALUES ('a', 1, 1)`,
    );
    const printed = done(await moveTo(url));
    assert.match(printed, /^TABLE +SOURCE +TARGET\n(?:\w+ +(\d+) +\1\n)+\nMoved\. All row counts match/);
    assert.match(printed, new RegExp(`^vectors +${vectors + 1} `, 'm'));
    assert.deepEqual(await rowsOfTarget(url), rowsOfSource(directory.path));

    const settings = Object.fromEntries(
      [...printed.matchAll(/^(SIGNING_KEY|AUTH_SECRET)=(.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    assert.equal(settings.SIGNING_KEY, join(directory.path, 'signing-key.pem'));
    assert.match(settings.AUTH_SECRET ?? '', /^\$\(cat .*auth-secret\)$/);
    const { AUTH_SECRET } = secretsOf(directory.path);
    const environment = { DATABASE_URL: url, SIGNING_KEY: settings.SIGNING_KEY!, AUTH_SECRET };
    assert.equal(await leftByDeleted(url), 1);
    await using replica = await startService({ environment });
    assert.match(replica.stdout(), /^Embedgate [\d.]+ listens on/);
    const answer = await requestEmbeddings(replica.address, keys[0]!, text);
    assert.deepEqual([answer.status, ((await answer.json()) as { cached: boolean }).cached], [200, true]);
    for (const key of keys) assert.equal((await requestEmbeddings(replica.address, key, 'x')).status, 200);

    assert.match(refused(await moveTo(url)), /The target is not empty: installation has 1 rows/);
    // A deletion that was in progress in the source continues on the target.
    await eventually(async () => (await leftByDeleted(url)) === 0);
  });

  it('leaves an empty target when it is killed in the middle, and can be run again', async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    {
      await using _held = await holdLocks(url, 'LOCK TABLE vectors IN EXCLUSIVE MODE');
      const running = spawnEmbedgate(['migrate', '--from', from, '--to', url]);
      await eventually(async () => (await waiting(url)) > 0);
      running.kill('SIGKILL');
      assert.equal((await running.exited).signal, 'SIGKILL');
      await endSessions(url);
    }
    const [row] = await runSql(url, 'SELECT count(*)::INT AS n FROM organizations');
    assert.equal(row?.n, 0);
    done(await moveTo(url));
    assert.deepEqual(await rowsOfTarget(url), rowsOfSource(directory.path));
  });

  it('refuses a target that holds other data, and a source that is in use', async () => {
    const url = await postgres.createDatabase();
    done(
      await runCommand(['orgs', 'create', '--name', 'there'], {
        ...secretsOf(directory.path),
        DATABASE_URL: url,
      }),
    );
    assert.match(refused(await moveTo(url)), /not empty: organizations has 1 rows/);

    await using _service = await startService({ dataDir: directory.path });
    assert.match(refused(await moveTo(await postgres.createDatabase())), /is in use: stop the server/);
  });

  it('refuses a signing key that would not accept the keys in the source', async () => {
    using other = temporaryDirectory();
    done(await runCommand(['orgs', 'create', '--name', 'other'], { DATA_DIR: other.path }));
    const environment = { SIGNING_KEY: join(other.path, 'signing-key.pem') };
    const reason = refused(await moveTo(await postgres.createDatabase(), environment));
    assert.match(reason, /^SIGNING_KEY did not sign 5 of the 5 active API keys/);
  });
});
