import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { newId } from '../../src/lib/ids.ts';
import { allRows } from '../../src/lib/page.ts';
import { Members } from '../../src/organizations/members.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { openPostgresStores } from '../../src/store/postgres/open.ts';
import { databasePath, openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import type { Stores } from '../../src/store/stores.ts';
import { TestClock } from '../helpers/clock.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { openPostgres } from '../helpers/postgres.ts';

/** The version before lists had pages. */
const before = 12;
const [orgId, userId] = [newId(), newId()];
const time = '2026-11-01T00:00:00.000Z';
const rows = [
  `INSERT INTO organizations (org_id, name, tier, created_at, revision) VALUES ('${orgId}', 'ACME', 'free', 1, 1)`,
  `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
   VALUES ('${userId}', 'Ada', 'ada@example.com', 0, '${time}', '${time}')`,
  `INSERT INTO members (org_id, user_id, role, created_at) VALUES ('${orgId}', '${userId}', 'owner', 1)`,
];

describe('members of an installation from before lists had pages', () => {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  const directory = temporaryDirectory();
  after(() => directory[Symbol.dispose]());

  test('are found by their names on SQLite', async () => {
    const database = openDatabase(databasePath(directory.path), { durable: true });
    for (const step of migrations.slice(0, before)) {
      for (const statement of step.statements('sqlite')) database.exec(statement);
    }
    for (const statement of rows) database.exec(statement);
    database.exec(`PRAGMA user_version = ${before}`);
    database.close();
    await assertFound(await openSqliteStores(directory.path, clock));
  });

  test('are found by their names on Postgres', async () => {
    await using postgres = await openPostgres();
    const url = await postgres.createDatabase();
    await migratePostgres(url, { through: before });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of rows) await client.query(statement);
    await client.end();
    await assertFound(await openPostgresStores(url, { windowClock: clock }));
  });

  async function assertFound(stores: Stores): Promise<void> {
    try {
      const members = new Members(stores.members, clock);
      const found = async (sort: string, q: string) =>
        (await allRows((page) => members.list(orgId, page), { sort, q })).map((member) => member.userId);
      assert.deepEqual(await found('name', 'AD'), [userId]);
      assert.deepEqual(await found('email', 'ada@'), [userId]);
      const own = await allRows((page) => members.organizationsOf(userId, page), { q: 'acm' });
      assert.deepEqual(
        own.map(({ organization }) => organization.name),
        ['ACME'],
      );
    } finally {
      await stores.close();
    }
  }
});
