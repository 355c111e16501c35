import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { askOf } from '../../../helpers/asks.ts';
import { openPostgres, runSql, type TestPostgres } from '../../../helpers/postgres.ts';
import { accountsOf, addLimit, limitedTo, openReplica, type Replica } from './replicas.ts';

describe('an organization whose rows make a statement fail', () => {
  let postgres: TestPostgres;
  let url: string;
  let replica: Replica;
  before(async () => {
    postgres = await openPostgres();
  });
  beforeEach(async () => {
    url = await postgres.createDatabase();
    replica = await openReplica(url);
  });
  afterEach(() => replica[Symbol.asyncDispose]());
  after(() => postgres[Symbol.asyncDispose]());

  /** Makes each write of a flush to the organization's rows fail. */
  const refuseWrites = (table: 'limits' | 'quota_windows', orgId: string) =>
    runSql(
      url,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN RAISE EXCEPTION $message$refused$message$; RETURN NEW; END';
       CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (NEW.org_id = '${orgId}')
       EXECUTE FUNCTION refuse()`,
    );
  const organizations = async ({ limited }: { limited: boolean }): Promise<string[]> => {
    const orgIds = await Promise.all(Array.from({ length: 6 }, () => limitedTo(replica, 100_000)));
    for (const orgId of limited ? orgIds : []) await addLimit(replica, orgId, 100_000);
    await Promise.all(orgIds.map((orgId) => replica.ledger.reserve(orgId, askOf('k'))));
    return orgIds;
  };
  /** Requests of all organizations at once, which share a flush. */
  const reserveAll = (orgIds: readonly string[]) =>
    Promise.all(
      orgIds.map((orgId) =>
        replica.ledger.reserve(orgId, askOf('k')).then(
          () => 'granted',
          (reason: { code: string }) => reason.code,
        ),
      ),
    );

  for (const [what, table] of Object.entries({
    'with limits': 'limits',
    'without limits': 'quota_windows',
  } as const)) {
    test(`fails alone among organizations ${what}`, async () => {
      const orgIds = await organizations({ limited: table === 'limits' });
      const failing = orgIds[3]!;
      await refuseWrites(table, failing);
      const expected = orgIds.map((orgId) => (orgId === failing ? 'unavailable' : 'granted'));
      assert.deepEqual(await reserveAll(orgIds), expected);
      for (const orgId of orgIds) {
        const used = orgId === failing ? 1 : 2;
        assert.deepEqual(await accountsOf(replica, orgId), { used, counted: used });
      }
    });
  }

  for (const isLimited of [true, false]) {
    test(`fails alone while the rows of another one are locked, ${isLimited ? 'with' : 'without'} limits`, async (t) => {
      const orgIds = await organizations({ limited: isLimited });
      // They stay together in the halves of a statement for as long as possible.
      const [locked, failing, ...others] = orgIds.toSorted();
      await refuseWrites(isLimited ? 'limits' : 'quota_windows', failing!);
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      t.after(() => holder.end());
      await holder.query('BEGIN');
      await holder.query('SELECT FROM quota_windows WHERE org_id = $1 FOR UPDATE', [locked]);
      const ofLocked = reserveAll([locked!]);
      const outcomes = await reserveAll([failing!, ...others]);
      await holder.query('ROLLBACK');
      assert.deepEqual(outcomes, ['unavailable', ...others.map(() => 'granted')]);
      assert.deepEqual(await ofLocked, ['granted']);
    });
  }
});
