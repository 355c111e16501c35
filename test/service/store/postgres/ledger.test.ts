import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { windowAt } from '../../../../src/quota/window.ts';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres, runSql } from '../../../helpers/postgres.ts';
import { addUsage, usageOf } from '../../../helpers/stored.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import {
  accountsOf,
  closeAll,
  isGranted,
  limitedTo,
  openReplica,
  openReplicas,
  patient,
  type Replica,
  reserve,
} from './replicas.ts';

const { random, floor } = Math;
const oneOf = <T>(values: readonly T[]): T => values[floor(random() * values.length)]!;
const today = floor(Date.now() / 86_400_000);
const shuffled = <T>(values: readonly T[]): T[] => values.toSorted(() => random() - 0.5);

describe('the ledger of replicas that share a Postgres', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const replicas = await openReplicas(url, 4, patient);
  after(async () => {
    await closeAll(replicas);
  });

  test('four replicas with three keys and a limit of 2,000 grant exactly 2,000 of 8,000 requests', async () => {
    const orgId = await limitedTo(replicas[0]!, 2_000);
    const answers = await byClients(80, 100, (client) =>
      reserve(replicas[client % 4]!, orgId, `key-${client % 3}`),
    );
    const granted = answers.filter(isGranted);
    assert.equal(granted.length, 2_000);
    assert.deepEqual(await accountsOf(replicas[1]!, orgId), { used: 2_000, counted: 2_000 });
  });

  test('with units released meanwhile, the counter equals the units kept, and never exceeds the limit', async () => {
    const orgId = await limitedTo(replicas[0]!, 100);
    let kept = 0;
    await byClients(200, 10, async (client) => {
      const replica = replicas[client % 4]!;
      const granted = await reserve(replica, orgId, `key-${client % 5}`);
      if (!granted) return;
      kept += 1;
      assert.ok(kept <= 100, `${kept} units are out at once`);
      if (random() < 0.7) {
        kept -= 1;
        await replica.ledger.giveBack(granted);
      }
    });
    assert.deepEqual(await accountsOf(replicas[2]!, orgId), { used: kept, counted: kept });
  });

  test('many organizations in any order, next to usage records of the same keys, never deadlock', async () => {
    const orgIds = await Promise.all(Array.from({ length: 60 }, () => limitedTo(replicas[0]!, 75)));
    const [outcomes] = await Promise.all([
      byClients(120, 65, async (client) => {
        const replica = replicas[client % 4]!;
        const orgId = oneOf(orgIds);
        const granted = await reserve(replica, orgId, oneOf(['a', 'b', 'c']));
        if (!granted || random() < 0.9) return granted && orgId;
        await replica.ledger.giveBack(granted);
        return undefined;
      }),
      ...replicas.map((replica) => recordUsage(replica, orgIds, 20)),
    ]);
    const grantedBy = Map.groupBy(outcomes, (orgId) => orgId ?? 'none');
    for (const orgId of orgIds) {
      const expected = grantedBy.get(orgId)?.length ?? 0;
      assert.ok(expected <= 75);
      assert.deepEqual(await accountsOf(oneOf(replicas), orgId), { used: expected, counted: expected });
      const rows = await replicas[0]!.stores.usage.totalsByKey(orgId, today, today + 2);
      assert.deepEqual(
        rows.map(({ cached }) => cached),
        [80, 80, 80],
      );
    }
  });

  test('the first flushes of new organizations, in different orders at once, grant each its limit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const orgIds = await Promise.all(Array.from({ length: 10 }, () => limitedTo(replicas[0]!, 4)));
      const granted = await Promise.all(
        replicas.flatMap((replica) =>
          shuffled([...orgIds, ...orgIds]).map((orgId) => reserve(replica, orgId, 'k')),
        ),
      );
      assert.equal(granted.filter(isGranted).length, 40);
    }
  });

  test('the database’s clock decides which window it is, whatever a replica’s own clock says', async () => {
    const [row] = await runSql(
      url,
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::FLOAT8 AS now_ms`,
    );
    await using ahead = await openReplica(url, patient);
    const orgId = await limitedTo(ahead, 10);
    const granted = await reserve(ahead, orgId, 'k');
    assert.equal(granted?.receipt.monthStartMs, windowAt('month', row?.now_ms).startMs);
    assert.equal(
      (await ahead.stores.ledger.standings(orgId, ['']))?.quota.startMs,
      windowAt('month', row?.now_ms).startMs,
    );
  });

  test('a tier that this program does not know grants nothing', async () => {
    const orgId = await limitedTo(replicas[0]!, 10);
    await runSql(url, `UPDATE organizations SET tier = 'platinum' WHERE org_id = $1`, [orgId]);
    await assert.rejects(replicas[0]!.ledger.reserve(orgId, askOf('k')), { code: 'invalid_api_key' });
  });

  test('a correction of tokens counts in the limit, and writes no row of the quota', async () => {
    const [replica] = replicas as [Replica];
    const orgId = await limitedTo(replica, 10, 'hour');
    const limit = { unit: 'tokens', window: 'month', amount: 100 } as const;
    await replica.stores.limits.add(orgId, limit);
    const estimated = await replica.ledger.reserve(orgId, askOf('k', { tokens: 5 }));
    /** The transactions that wrote the rows. */
    const writers = () => runSql(url, 'SELECT xmin FROM quota_windows WHERE org_id = $1', [orgId]);
    const before = await writers();
    await replica.ledger.settle(estimated, { ...estimated.units, tokens: 9 });
    assert.deepEqual(await writers(), before);
    const [tokens] = await replica.ledger.readLimits(orgId, ['']);
    assert.equal(tokens?.used, 9);
  });

  test('a flush whose connection is lost fails as unavailable, and is not counted twice', async (t) => {
    const orgId = await limitedTo(replicas[0]!, 100);
    await reserve(replicas[0]!, orgId, 'k');
    await using holder = await openReplica(url, patient);
    // The flush sleeps, so that it is known to be running when its connection ends.
    await runSql(
      url,
      `CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
       CREATE TRIGGER sleep BEFORE UPDATE ON quota_windows FOR EACH ROW WHEN (NEW.org_id = '${orgId}')
       EXECUTE FUNCTION sleep()`,
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    const flush = assert.rejects(holder.ledger.reserve(orgId, askOf('k')), { code: 'unavailable' });
    await eventually(async () => {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND query LIKE '%flush_quota%' AND wait_event = 'PgSleep'`,
      );
      return rowCount === 1;
    });
    await flush;
    await client.query('DROP TRIGGER sleep ON quota_windows');
    assert.deepEqual(await accountsOf(replicas[0]!, orgId), { used: 1, counted: 1 });
    assert.ok(await reserve(holder, orgId, 'k'));
    assert.deepEqual(await accountsOf(replicas[0]!, orgId), { used: 2, counted: 2 });
  });
});

/** `count` clients, each of which repeats it `times` times in sequence. */
async function byClients<R>(count: number, times: number, act: (client: number) => Promise<R>): Promise<R[]> {
  const clients = Array.from({ length: count }, async (_, client) => {
    const answers: R[] = [];
    for (let i = 0; i < times; i += 1) answers.push(await act(client));
    return answers;
  });
  return (await Promise.all(clients)).flat();
}

/** Records `times` cached requests of each key of each organization, in random order. */
async function recordUsage(
  { stores }: Replica,
  orgIds: readonly string[],
  times: number,
): Promise<undefined> {
  for (let i = 0; i < times; i += 1) {
    const keys = orgIds.flatMap((orgId) => ['a', 'b', 'c'].map((keyId) => ({ orgId, keyId })));
    await addUsage(
      stores.usage,
      shuffled(keys).map((key) => usageOf({ ...key, day: today, cached: 1 })),
    );
  }
}
