import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CompiledQuery, type Kysely, type KyselyPlugin, type PluginTransformQueryArgs, sql } from 'kysely';
import type { DatabaseKind } from '../../src/database/migrations/database-kind.ts';
import type { Database } from '../../src/database/schema.ts';
import { timeOf } from '../../src/database/sql.ts';
import { relationalStores } from '../../src/service/relational-stores.ts';
import type { Stores } from '../../src/service/stores.ts';
import { requestList } from '../../src/usage/request-log.ts';
import { requestReports } from '../../src/usage/request-reports.ts';
import { TestClock } from '../helpers/clock.ts';
import { Random } from '../helpers/random.ts';
import { tablesOf } from '../helpers/stored.ts';
import { type ListedRows, listedRows } from './listed-rows.ts';
import type { OpenStores } from './stores.ts';

const rows = 6;

/**
 * Every page of a list that is sorted by a column of its own table is read from a place in an index. `openTables` returns
 * the database of the stores, with transactions.
 */
export function listPlansContract(
  name: string,
  dialect: DatabaseKind,
  open: OpenStores,
  openTables: (stores: Stores) => Promise<Kysely<Database>> = tablesOf,
): void {
  describe(`plans of the lists on ${name}`, () => {
    const clock = new TestClock('2026-11-21T03:00:00Z');
    const recorder = new Recorder();
    let stores: Stores;
    let tables: Kysely<Database>;
    let lists: ListedRows[];
    let readers: ReturnType<typeof relationalStores>;
    before(async () => {
      stores = await open(clock);
      tables = await openTables(stores);
      readers = relationalStores(tables.withPlugin(recorder), dialect, timeOf(clock), clock);
      lists = await listedRows(stores, new Random(1), readers);
      for (const { add } of lists) for (let i = 0; i < rows; i += 1) await add();
    });
    after(() => stores.close());

    test('the first page and a later page use an index in every order', async () => {
      for (const {
        name: list,
        read,
        list: { sorts },
      } of lists) {
        for (const sort of sorts) {
          // A name of another table can't be in the index.
          if (sort.endsWith('name') && list === 'members') continue;
          // The keys of one organization are few enough to be sorted.
          if (/last_used|expires|requests/.test(sort)) continue;
          const statements = await recorder.during(tables, async () => {
            const { next } = await read({ sort, limit: 1 });
            await read({ sort, limit: rows, after: next! });
          });
          assert.ok(statements.length >= 2, `${list} by ${sort}: ${statements.length} statements`);
          const pages = statements.filter((statement) => !statement.sql.includes('COUNT(*)'));
          for (const [i, statement] of pages.entries()) {
            const plan = await planOf[dialect](tables, statement);
            assert.ok(isByIndex[dialect](plan), `${list} by ${sort}\n${statement.sql}\n${plan}`);
            // The later page begins at a place in the index, and doesn't read the rows before it.
            const isLater = dialect === 'sqlite' && i === pages.length - 1;
            if (isLater) assert.match(plan, /[<>]\(?\?/, `${list} by ${sort}\n${statement.sql}`);
          }
        }
      }
    });

    test('an entry of the request log is found by the index of its own ID, in one organization or among all', async () => {
      const log = requestReports(tables.withPlugin(recorder));
      for (const filter of [{ requestId: 'r' }, { requestId: 'r', keyId: 'k' }]) {
        for (const orgId of ['o', null]) {
          const [statement] = await recorder.during(tables, async () => {
            await log.page(orgId, filter, requestList.request({}));
          });
          assert.match(await planOf[dialect](tables, statement!), /request_log_by_request/);
        }
      }
    });

    // On SQLite, transactions belong to the writing thread, which has no recorder.
    const skip = dialect === 'sqlite';
    test('changes and deletions of a user read no whole table', { skip }, async () => {
      const users = lists.find(({ name: list }) => list === 'users')!;
      const { id } = await users.add();
      const statements = await recorder.during(tables, async () => {
        await readers.userChanges.change(id, { isAdmin: false });
        await readers.userChanges.change(id, { isDisabled: true, revokesKeys: true });
        await readers.userChanges.delete(id, { revokesKeys: true });
      });
      assert.ok(statements.length >= 12, `${statements.length} statements`);
      for (const statement of statements) {
        const plan = await planOf[dialect](tables, statement);
        assert.ok(!/Seq Scan|^SCAN (?!.* USING (COVERING )?INDEX)/m.test(plan), `${statement.sql}\n${plan}`);
      }
    });

    test('a statement without an index is recognized', async () => {
      for (const order of ['cache_secret', 'cache_secret, org_id']) {
        const statement = CompiledQuery.raw(`SELECT * FROM organizations ORDER BY ${order} LIMIT 3`);
        assert.equal(isByIndex[dialect](await planOf[dialect](tables, statement)), false);
      }
    });
  });
}

/** Keeps the statements of a Kysely. */
class Recorder implements KyselyPlugin {
  #queries: PluginTransformQueryArgs[] = [];

  transformQuery(query: PluginTransformQueryArgs) {
    this.#queries.push(query);
    return query.node;
  }

  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;

  async during(db: Kysely<Database>, body: () => Promise<void>): Promise<CompiledQuery[]> {
    this.#queries = [];
    await body();
    const compiler = db.withoutPlugins().getExecutor();
    return this.#queries.map(({ node, queryId }) => compiler.compileQuery(node, queryId));
  }
}

const planOf: Record<DatabaseKind, (db: Kysely<Database>, statement: CompiledQuery) => Promise<string>> = {
  async sqlite(db, statement) {
    const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${statement.sql}`, [...statement.parameters]);
    const { rows: lines } = await db.executeQuery<{ detail: string }>(explain);
    return lines.map(({ detail }) => detail).join('\n');
  },
  postgres(db, statement) {
    return db.transaction().execute(async (transaction) => {
      // The tables are so small that reading all of them would be cheaper.
      for (const way of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin', 'material']) {
        await sql`SELECT set_config(${`enable_${way}`}, 'off', true)`.execute(transaction);
      }
      const explain = CompiledQuery.raw(`EXPLAIN ${statement.sql}`, [...statement.parameters]);
      const { rows: lines } = await transaction
        .withoutPlugins()
        .executeQuery<Record<string, string>>(explain);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
  },
};

const isByIndex: Record<DatabaseKind, (plan: string) => boolean> = {
  sqlite: (plan) => !/TEMP B-TREE|^SCAN (?!.* USING (COVERING )?INDEX)/m.test(plan),
  postgres: (plan) => !/Seq Scan|Sort|Bitmap/.test(plan),
};
