import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres, type TestPostgres } from '../../../helpers/postgres.ts';
import {
  accountsOf,
  addLimit,
  limitedTo,
  openReplica,
  type Replica,
} from '../../../service/store/postgres/replicas.ts';

describe('rows of one organization that another transaction has locked', () => {
  let postgres: TestPostgres;
  let url: string;
  let replica: Replica;
  before(async () => {
    postgres = await openPostgres();
    url = await postgres.createDatabase();
    replica = await openReplica(url);
  });
  after(async () => {
    await replica[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const locks: Record<string, string> = {
    'its window': 'SELECT FROM quota_windows WHERE org_id = $1 FOR UPDATE',
    'the usage of its keys': 'SELECT FROM usage_records WHERE org_id = $1 FOR UPDATE',
    'a limit of it': 'SELECT FROM limits WHERE org_id = $1 FOR UPDATE',
    itself: 'SELECT FROM organizations WHERE org_id = $1 FOR UPDATE',
  };
  for (const [what, sql] of Object.entries(locks)) {
    test(`no other organization fails while ${what} is locked, and it continues afterwards`, async (t) => {
      const [locked, ...others] = await Promise.all(
        Array.from({ length: 21 }, () => limitedTo(replica, 100_000)),
      );
      assert.ok(locked);
      for (const orgId of what === 'a limit of it' ? [locked, ...others] : [])
        await addLimit(replica, orgId, 100_000);
      await Promise.all([locked, ...others].map((orgId) => replica.ledger.reserve(orgId, askOf('k'))));
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      await holder.query('BEGIN');
      await holder.query(sql, [locked]);
      let isOver = false;
      const outcomes = { ofOthers: 0, ofLocked: [] as string[] };
      // The first use of a key inserts a row that refers to the organization.
      const asking = [
        ...others.map(async (orgId) => {
          while (!isOver) {
            await replica.ledger.reserve(orgId, askOf('k'));
            outcomes.ofOthers += 1;
          }
        }),
        (async () => {
          for (let i = 0; !isOver; i++) {
            const outcome = await replica.ledger.reserve(locked, askOf(`k${i}`)).then(
              () => 'granted',
              (reason: { code: string }) => reason.code,
            );
            outcomes.ofLocked.push(outcome);
          }
        })(),
      ];
      // Longer than a request waits for locked rows.
      await setTimeout(4_000);
      await eventually(() => outcomes.ofOthers > 200);
      await holder.query('ROLLBACK');
      await holder.end();
      isOver = true;
      await Promise.all(asking);
      t.diagnostic(`${outcomes.ofOthers} decisions of others in 4 s or more`);
      await replica.ledger.reserve(locked, askOf('after'));
      for (const orgId of [locked, ...others]) {
        const { used, counted } = await accountsOf(replica, orgId);
        assert.equal(used, counted);
      }
      const { used } = await accountsOf(replica, locked);
      const granted = outcomes.ofLocked.filter((outcome) => outcome === 'granted').length;
      assert.equal(used, granted + 2, outcomes.ofLocked.join(' '));
    });
  }
});
