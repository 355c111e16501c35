import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres, runSql } from '../../../helpers/postgres.ts';
import { addUsage, finishDeletions, insertChannel } from '../../../helpers/stored.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import {
  accountsOf,
  addLimit,
  limitedTo,
  openReplica,
  patient,
  reserve,
} from '../../../service/store/postgres/replicas.ts';

const day = dayOf(systemClock.now());
const figures = {
  day,
  model: 'test-model',
  cached: 1,
  failed: 0,
  texts: 1,
  tokens: 1,
  truncated: 0,
  lastUsedAt: 2,
};

describe('statements that compete for the same rows', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  // A deadlock has to be found long before the deadline of a statement, even on a busy machine.
  const database = new URL(url).pathname.slice(1);
  await runSql(url, `ALTER DATABASE ${database} SET deadlock_timeout = '100ms'`);
  const replica = untilEnd(await openReplica(url, patient));
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  after(async () => {
    await observer.end();
  });

  /** A transaction of the test's own, which is never the one that a deadlock ends. */
  const transaction = async (t: TestContext): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(() => client.end());
    await client.query("SET deadlock_timeout = '60s'; BEGIN");
    return client;
  };
  /** Resolves when as many statements wait for a lock. Needs one round trip, because they don't wait for long. */
  const waiting = (count: number) =>
    eventually(async () => {
      const { rows } = await observer.query(
        'SELECT count(DISTINCT pid)::INT AS n FROM pg_locks WHERE NOT granted',
      );
      return rows[0].n === count;
    });

  test('a message for a channel that is deleted meanwhile finds no channel', async (t) => {
    const { orgId } = await replica.organizations.create({ name: 'Gone', tier: 'free', custom: null });
    const { deliveries } = replica.stores;
    const { targetId } = await insertChannel(replica.stores, { orgId });
    const deletion = await transaction(t);
    await deletion.query('DELETE FROM notification_targets WHERE target_id = $1', [targetId]);
    const message = {
      deliveryId: newId(),
      messageId: newId(),
      alertId: null,
      type: 'test',
      payload: '{}',
    } as const;
    const queued = assert.rejects(deliveries.enqueue({ ...message, orgId, targetId }), { code: 'not_found' });
    await waiting(1);
    await deletion.query('COMMIT');
    await queued;
  });

  test('the deletion of an organization waits for the usage writer, and the writer does not wait for it', async (t) => {
    const { orgId } = await replica.organizations.create({ name: 'Gone', tier: 'free', custom: null });
    const created = await replica.keys.create({ orgId, userId: 'nobody', name: 'key' });
    const { keyId } = created.key;
    const other = await replica.organizations.create({ name: 'Other', tier: 'free', custom: null });
    const first = '00000000-0000-0000-0000-000000000001';
    const deltas = [
      { ...figures, orgId, keyId },
      { ...figures, orgId: other.orgId, keyId: first },
    ];
    await addUsage(
      replica.stores.usage,
      deltas.map((delta) => ({ ...delta, lastUsedAt: 1 })),
    );
    const blocker = await transaction(t);
    await blocker.query('SELECT 1 FROM key_activity WHERE key_id = $1 FOR UPDATE', [first]);
    const added = addUsage(replica.stores.usage, deltas);
    await waiting(1);
    const deleted = replica.organizations.delete(orgId);
    await waiting(2);
    const free = await observer.query('SELECT 1 FROM key_activity WHERE key_id = $1 FOR UPDATE SKIP LOCKED', [
      keyId,
    ]);
    assert.equal(free.rowCount, 1);
    await blocker.query('COMMIT');
    await added;
    await deleted;
  });

  test('an invitation that is stored while its organization is deleted is deleted with it', async (t) => {
    const { orgId } = await replica.organizations.create({ name: 'Gone', tier: 'free', custom: null });
    const inviting = await transaction(t);
    await inviting.query(
      `INSERT INTO invitations (invitation_id, org_id, email, role, digest, invited_by, mailed, created_at, expires_at)
      VALUES ($1, $2, 'guest@example.com', 'member', $1, 'nobody', 0, 1, 2)`,
      [newId(), orgId],
    );
    const deleted = replica.stores.organizations.delete(orgId);
    await waiting(1);
    await inviting.query('COMMIT');
    await deleted;
    const { rowCount } = await observer.query('SELECT FROM invitations WHERE org_id = $1', [orgId]);
    assert.equal(rowCount, 0);
  });

  test('a first request during the deletion of its organization leaves no row', async (t) => {
    const { orgId } = await replica.organizations.create({ name: 'Gone', tier: 'free', custom: null });
    // The flush has created the row of the month, and waits for that of the day.
    const blocker = await transaction(t);
    await blocker.query('INSERT INTO usage_records (org_id, key_id, day, model) VALUES ($1, $2, $3, $4)', [
      ...[orgId, 'key', day, askOf('key').model],
    ]);
    const asked = replica.ledger.reserve(orgId, askOf('key')).catch(() => undefined);
    await waiting(1);
    const deleted = replica.organizations.delete(orgId);
    await Promise.race([deleted, waiting(2)]);
    await blocker.query('ROLLBACK');
    await Promise.all([asked, deleted]);
    await finishDeletions(replica.stores);
    for (const table of ['quota_windows', 'usage_records'])
      assert.equal((await observer.query(`SELECT FROM ${table} WHERE org_id = $1`, [orgId])).rowCount, 0);
  });

  test('a flush locks organizations in the order of their ids', async (t) => {
    const created = await Promise.all(Array.from({ length: 8 }, () => limitedTo(replica, 100)));
    const [first, ...others] = created.toSorted();
    const flush = () => Promise.all(created.map((orgId) => reserve(replica, orgId, 'k')));
    await flush();
    const blocker = await transaction(t);
    const rows = 'SELECT 1 FROM quota_windows WHERE org_id = ANY ($1) FOR UPDATE';
    await blocker.query(rows, [[first]]);
    const flushed = flush();
    await waiting(1);
    const free = await observer.query(`${rows} SKIP LOCKED`, [others]);
    assert.equal(free.rowCount, others.length);
    await blocker.query('COMMIT');
    await flushed;
  });

  test('a flush takes the rows of what it grants and returns in the order of the usage writer', async (t) => {
    const orgId = await limitedTo(replica, 100);
    await addLimit(replica, orgId, 100);
    const [, ofB] = [await reserve(replica, orgId, 'a'), await reserve(replica, orgId, 'b')];
    const blocker = await transaction(t);
    const row = 'SELECT 1 FROM usage_records WHERE org_id = $1 AND key_id = $2 FOR UPDATE';
    await blocker.query(row, [orgId, 'a']);
    const added = addUsage(
      replica.stores.usage,
      ['a', 'b'].map((keyId) => ({ ...figures, orgId, keyId })),
    );
    await waiting(1);
    const flushed = Promise.all([replica.ledger.giveBack(ofB!), reserve(replica, orgId, 'a')]);
    await waiting(2);
    const free = await observer.query(`${row} SKIP LOCKED`, [orgId, 'b']);
    assert.equal(free.rowCount, 1);
    await blocker.query('COMMIT');
    await Promise.all([added, flushed]);
    assert.deepEqual(await accountsOf(replica, orgId), { used: 2, counted: 2 });
  });

  test('a statement that a deadlock has rolled back runs again', async (t) => {
    const { orgId } = await replica.organizations.create({ name: 'Again', tier: 'free', custom: null });
    const deltas = ['a', 'b'].map((keyId) => ({ ...figures, orgId, keyId }));
    await addUsage(replica.stores.usage, deltas);
    const other = await transaction(t);
    const lock = `SELECT 1 FROM usage_records WHERE org_id = '${orgId}' AND key_id = $1 FOR UPDATE`;
    await other.query(lock, ['b']);
    const added = addUsage(replica.stores.usage, deltas);
    await waiting(1);
    await other.query(lock, ['a']);
    await other.query('COMMIT');
    await added;
    const rows = await replica.stores.usage.rows(orgId, day, day + 1);
    assert.deepEqual(
      rows.map(({ texts }) => texts),
      [2, 2],
    );
  });

  test('vectors written while the cache is pruned are neither waited for nor deleted', async (t) => {
    const keys = ['a', 'b'].map((text) => hash('sha256', text, 'binary'));
    const entries = keys.map((key) => ({ key, sealed: Uint8Array.of(1) }));
    await replica.stores.vectors.put(entries, 1_000);
    const writer = await transaction(t);
    await writer.query('UPDATE vectors SET created_at = 9000 WHERE key = $1', [
      Buffer.from(keys[0]!, 'latin1'),
    ]);
    await replica.stores.vectors.prune({ createdBeforeMs: 5_000, maxBytes: 1_000_000 });
    await writer.query('COMMIT');
    const found = await replica.stores.vectors.get(keys);
    assert.deepEqual(
      found.map((sealed) => sealed?.[0]),
      [1, undefined],
    );
  });
});
