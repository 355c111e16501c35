import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Step } from '../../../src/database/migrations/database-kind.ts';
import { ownSteps, type Steps, stepsIn } from '../../../src/database/migrations/index.ts';
import { migratePostgres } from '../../../src/database/postgres/migrate.ts';
import { migrateSqlite, sqliteVersion } from '../../../src/database/sqlite/migrate.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { holdLocks, openPostgres, runSql } from '../../helpers/postgres.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const baseline = new URL('../../../src/database/migrations/steps/0001-tables.ts', import.meta.url).href;

type Planned = Partial<Record<'sqlite' | 'postgres', string[]>> & Omit<Step, 'sqlite' | 'postgres'>;

/** Returns the steps of a later release: the first one, and those that follow it. */
function later(...planned: [name: string, step: Planned][]): Steps & Disposable {
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, '0001-tables.ts'), `export { step } from '${baseline}';`);
  for (const [name, { sqlite = [], postgres = [], ...rest }] of planned)
    writeFileSync(
      join(directory.path, `${name}.ts`),
      `export const step = { sqlite: () => ${JSON.stringify(sqlite)}, postgres: () => ${JSON.stringify(postgres)}, ...${JSON.stringify(rest)} };`,
    );
  const steps = stepsIn(pathToFileURL(`${directory.path}/`));
  return { ...steps, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

const time = '2026-01-01T00:00:00.000Z';
const user = `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
  VALUES ('u', 'Ada', 'ada@example.com', 1, '${time}', '${time}')`;
const session = `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at)
  VALUES ('s', 'u', 't', '${time}', '${time}', '${time}')`;

describe('steps of a later release on SQLite', () => {
  /** Returns a data directory of this release with a user who has a session. */
  async function filled() {
    const directory = temporaryDirectory();
    await migrateSqlite(directory.path);
    const path = join(directory.path, 'embedgate.db');
    using database = new DatabaseSync(path);
    database.exec(`${user};${session}`);
    const rows = (table: string) => {
      using reader = new DatabaseSync(path, { readOnly: true });
      return reader.prepare(`SELECT * FROM ${table} /* a test's own */`).all();
    };
    return { ...directory, rows, [Symbol.dispose]: () => directory[Symbol.dispose]() };
  }
  const rebuild = [
    'CREATE TABLE rebuilt AS SELECT * FROM users',
    'DROP TABLE users',
    'CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT, email TEXT)',
    'INSERT INTO users SELECT id, name, email FROM rebuilt',
    'DROP TABLE rebuilt',
  ];

  test('a table that is rebuilt keeps the rows that refer to it', async () => {
    using data = await filled();
    using steps = later(['0002-1.0-rebuild', { sqlite: rebuild }]);
    assert.equal(await migrateSqlite(data.path, steps), 1);
    assert.deepEqual([data.rows('users').length, data.rows('sessions').length], [1, 1]);
  });

  test('a step that loses rows, or leaves some without what they refer to, is undone, and says which step and table', async () => {
    using data = await filled();
    for (const [statements, message] of [
      [['DELETE FROM sessions'], 'the step 0003-1.0-bad failed: sessions had 1 rows, and has 0'],
      [
        [
          'CREATE TABLE noted (id TEXT PRIMARY KEY)',
          'CREATE UNIQUE INDEX one ON users (email_verified)',
          user.replace("'u'", "'v'"),
        ],
        'the step 0003-1.0-bad failed: UNIQUE constraint failed: users.email_verified',
      ],
      [
        [session.replaceAll("'s'", "'r'").replaceAll("'t'", "'q'").replace("'u'", "'nobody'")],
        'the step 0003-1.0-bad failed: a row of sessions refers to a row of users that is missing',
      ],
    ] as const) {
      using steps = later(
        ['0002-1.0-good', { sqlite: ['ALTER TABLE users ADD COLUMN color TEXT'] }],
        ['0003-1.0-bad', { sqlite: [...statements] }],
      );
      await assert.rejects(migrateSqlite(data.path, steps), { message });
      assert.equal(sqliteVersion(data.path), ownSteps.version);
      assert.deepEqual([data.rows('users').length, data.rows('sessions').length], [1, 1]);
    }
    using steps = later(['0002-1.0-end', { sqlite: ['DELETE FROM sessions'], deletesFrom: ['sessions'] }]);
    assert.equal(await migrateSqlite(data.path, steps), 1);
    assert.equal(data.rows('sessions').length, 0);
  });

  test('a copy of the database from before stays until the next upgrade', async () => {
    using data = await filled();
    const copies = () => readdirSync(data.path).filter((name) => name.includes('before'));
    using first = later(['0002-1.0-one', { sqlite: ['DELETE FROM sessions'], deletesFrom: ['sessions'] }]);
    await migrateSqlite(data.path, first);
    assert.deepEqual(copies(), ['embedgate.db.before-2']);
    using copy = new DatabaseSync(join(data.path, 'embedgate.db.before-2'), { readOnly: true });
    assert.equal(copy.prepare("SELECT 1 FROM sessions /* a test's own */").all().length, 1);
    using second = later(
      ['0002-1.0-one', {}],
      ['0003-1.0-two', { sqlite: ['CREATE TABLE colors (id TEXT)'] }],
    );
    await migrateSqlite(data.path, second);
    assert.deepEqual(copies(), ['embedgate.db.before-3']);
    await migrateSqlite(data.path, second);
    assert.deepEqual(copies(), ['embedgate.db.before-3']);
  });

  test('starts at the same time take each step once, and keep the copy from before', async () => {
    using data = await filled();
    using steps = later(['0002-1.0-end', { sqlite: ['DELETE FROM sessions'], deletesFrom: ['sessions'] }]);
    const taken = await Promise.all(Array.from({ length: 4 }, () => migrateSqlite(data.path, steps)));
    assert.deepEqual(taken.sort(), [0, 0, 0, 1]);
    using copy = new DatabaseSync(join(data.path, 'embedgate.db.before-2'), { readOnly: true });
    assert.equal(copy.prepare("SELECT 1 FROM sessions /* a test's own */").all().length, 1);
  });

  test('a step is not stopped by another program’s tables, nor by rows that referred to nothing before', async () => {
    using data = await filled();
    {
      using database = new DatabaseSync(join(data.path, 'embedgate.db'));
      database.exec(`PRAGMA foreign_keys = OFF; CREATE TABLE "my ""notes" (id TEXT); CREATE TABLE "order" (id TEXT);
        ${session.replace("'s'", "'r'").replace("'t'", "'q'").replace("'u'", "'nobody'")}`);
    }
    using steps = later(['0002-1.0-more', { sqlite: ['ALTER TABLE users ADD COLUMN color TEXT'] }]);
    assert.equal(await migrateSqlite(data.path, steps), 1);
  });

  test('a step of this release is taken also if another one has taken a step that this one does not have', async () => {
    using data = await filled();
    using other = later(['0002-1.0-other', { sqlite: ['CREATE TABLE other (id TEXT)'] }]);
    await migrateSqlite(data.path, other);
    using own = later(['0002-1.0-own', { sqlite: ['CREATE TABLE own (id TEXT)'] }]);
    assert.equal(await migrateSqlite(data.path, own), 1);
    assert.equal(data.rows('own').length, 0);
  });

  test('this release starts again on a result that its steps state it can read, and on no other', async () => {
    using data = await filled();
    using steps = later(['0002-1.0-more', { sqlite: ['ALTER TABLE users ADD COLUMN color TEXT'] }]);
    await migrateSqlite(data.path, steps);
    assert.equal(await migrateSqlite(data.path), 0);
    for (const name of ['0003-1.1-less', '0003-2.0-less', '0003-0.9-less', '0003-less']) {
      using unreadable = later(['0002-1.0-more', {}], [name, { sqlite: ['DROP TABLE attempts'] }]);
      using other = await filled();
      await migrateSqlite(other.path, unreadable);
      await assert.rejects(
        migrateSqlite(other.path),
        { message: /schema version 3, this program knows/ },
        name,
      );
    }
  });
});

describe('steps of a later release on Postgres', async () => {
  const postgres = untilEnd(await openPostgres());
  const filled = async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    await runSql(url, `${user};${session}`);
    return url;
  };

  test('a failed step names itself, the table and the constraint, and this release starts again on the steps before it', async () => {
    const url = await filled();
    using steps = later(
      ['0002-1.0-good', { postgres: ['ALTER TABLE users ADD COLUMN color TEXT'] }],
      ['0003-1.0-bad', { postgres: [`ALTER TABLE sessions ADD CONSTRAINT short CHECK (length(id) > 1)`] }],
    );
    await assert.rejects(migratePostgres(url, 1, steps), {
      message:
        'the step 0003-1.0-bad failed: Postgres refused a statement because of short of sessions (SQLSTATE 23514)',
    });
    assert.equal(await migratePostgres(url), 0);
  });

  test('an online step makes an index beside a transaction that uses the table, fills a column in parts, and repeats what was interrupted', async () => {
    const url = await filled();
    await runSql(
      url,
      `ALTER TABLE users ADD COLUMN color TEXT;
       INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
         SELECT 'u' || n, 'n', n || '@example.com', 1, '${time}', '${time}' FROM generate_series(1, 25) AS n`,
    );
    // As an interrupted CREATE INDEX CONCURRENTLY leaves it.
    await assert.rejects(runSql(url, 'CREATE UNIQUE INDEX CONCURRENTLY users_by_color ON users (name)'));
    using steps = later([
      '0002-1.0-online',
      {
        isOnline: true,
        postgres: [
          'CREATE INDEX CONCURRENTLY IF NOT EXISTS users_by_color ON users (color)',
          `UPDATE users SET color = 'red' WHERE id IN (SELECT id FROM users WHERE color IS NULL LIMIT 10)`,
        ],
      },
    ]);
    const both = await Promise.all([migratePostgres(url, 1, steps), migratePostgres(url, 1, steps)]);
    assert.deepEqual(both.sort(), [0, 1]);
    const [found] = await runSql(
      url,
      `SELECT (SELECT count(*)::INT FROM users WHERE color = 'red') AS red,
        (SELECT indisvalid FROM pg_index WHERE indexrelid = 'users_by_color'::regclass) AS valid`,
    );
    assert.deepEqual(found, { red: 26, valid: true });
  });

  test('no request waits long for a table that a step waits for', async () => {
    const url = await filled();
    using steps = later(['0002-1.0-wait', { postgres: ['ALTER TABLE users ADD COLUMN color TEXT'] }]);
    const locks = await holdLocks(url, 'LOCK TABLE users IN ACCESS SHARE MODE');
    const migrating = migratePostgres(url, 1, steps);
    for (let i = 0; i < 20; i += 1) {
      // Fails if it waits longer than a decision does.
      await runSql(url, 'BEGIN; SET LOCAL lock_timeout = 300; SELECT count(*) FROM users; COMMIT');
      await setTimeout(50);
    }
    await locks[Symbol.asyncDispose]();
    assert.equal(await migrating, 1);
  });
});
