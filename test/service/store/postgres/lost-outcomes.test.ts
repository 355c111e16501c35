import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../../../src/lib/clock.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { UsageRecorder } from '../../../../src/usage/recorder.ts';
import { askOf } from '../../../helpers/asks.ts';
import { finishDeletions } from '../../../helpers/deletions.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres, runSql, type TestPostgres } from '../../../helpers/postgres.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { accountsOf, limitedTo, openReplica, patient } from './replicas.ts';

const today = () => dayOf(systemClock.now());

describe('a Postgres whose responses can be lost', () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await openPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());

  test('records whose write was committed but not confirmed count once', async () => {
    await using relay = await openRelay(await postgres.createDatabase());
    await using replica = await openReplica(relay.url, patient);
    const { orgId } = await replica.organizations.create({ name: 'Lost', tier: 'free', custom: null });
    const errors: unknown[] = [];
    const recorder = new UsageRecorder(replica.stores.usage, systemClock, (reason) => errors.push(reason));
    const record = (times: number) => {
      for (let i = 0; i < times; i += 1) recorder.failed({ orgId, keyId: 'key', model: 'test-model' });
    };
    record(2);
    await recorder.flush();
    for (let round = 0; round < 5; round += 1) {
      const lost = relay.loseAnswerTo('add_usage');
      record(3);
      await recorder.flush();
      await lost;
      record(4);
    }
    assert.equal(errors.length, 5);
    await recorder.flush();
    const rows = await replica.stores.usage.rows(orgId, today() - 1, today() + 2);
    assert.equal(
      rows.reduce((sum, { failed }) => sum + failed, 0),
      2 + 5 * 7,
    );
  });

  test('a flush of several organizations that was committed but not confirmed is not sent again', async () => {
    await using relay = await openRelay(await postgres.createDatabase());
    await using replica = await openReplica(relay.url, patient);
    const orgIds = await Promise.all(Array.from({ length: 4 }, () => limitedTo(replica, 100)));
    const lost = relay.loseAnswerTo('flush_quota');
    const outcomes = await Promise.allSettled(
      orgIds.map((orgId) => replica.ledger.reserve(orgId, askOf('key'))),
    );
    await lost;
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected');
      assert.equal(outcome.reason.code, 'unavailable');
    }
    for (const orgId of orgIds) {
      assert.deepEqual(await accountsOf(replica, orgId), { used: 1, counted: 1 });
    }
  });

  test('records that the store refuses are written when it takes them, and those beyond the bound are reported once', async () => {
    const url = await postgres.createDatabase();
    await using replica = await openReplica(url, patient);
    const { orgId } = await replica.organizations.create({ name: 'Refused', tier: 'free', custom: null });
    await runSql(
      url,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN RAISE EXCEPTION $message$refused$message$; RETURN NEW; END';
       CREATE TRIGGER refuse BEFORE INSERT ON usage_records FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const errors: unknown[] = [];
    const recorder = new UsageRecorder(replica.stores.usage, systemClock, (reason) => errors.push(reason));
    for (let i = 0; i < 3; i += 1) recorder.failed({ orgId, keyId: 'key', model: 'test-model' });
    await recorder.flush();
    for (let i = 0; i < 50_100; i += 1) recorder.failed({ orgId: 'gone', keyId: `key ${i}`, model: '' });
    errors.length = 0;
    await recorder.flush();
    const reports = errors.filter((reason) => /101 requests are not recorded/.test(String(reason)));
    assert.equal(reports.length, 1);
    assert.ok(errors.length < 5);
    await runSql(url, 'DROP TRIGGER refuse ON usage_records');
    await recorder.flush();
    const rows = await replica.stores.usage.rows(orgId, today() - 1, today() + 2);
    assert.deepEqual(
      rows.map(({ keyId, failed }) => [keyId, failed]),
      [['key', 3]],
    );
  });

  test('a first request during the deletion of its organization leaves no row', async (t) => {
    const url = await postgres.createDatabase();
    await using replica = await openReplica(url, patient);
    const { orgId } = await replica.organizations.create({ name: 'Gone', tier: 'free', custom: null });
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    t.after(() => blocker.end());
    // The flush has created the row of the month, and waits for that of the day.
    await blocker.query('BEGIN');
    await blocker.query('INSERT INTO usage_records (org_id, key_id, day, model) VALUES ($1, $2, $3, $4)', [
      ...[orgId, 'key', today(), askOf('key').model],
    ]);
    const observer = new pg.Client({ connectionString: url });
    await observer.connect();
    t.after(() => observer.end());
    /** Resolves when as many statements wait for a lock. Needs one round trip, because they don't wait for long. */
    const waiting = (count: number) =>
      eventually(async () => {
        const { rows } = await observer.query(
          'SELECT count(DISTINCT pid)::INT AS n FROM pg_locks WHERE NOT granted',
        );
        return rows[0].n === count;
      });
    const asked = replica.ledger.reserve(orgId, askOf('key')).catch(() => undefined);
    await waiting(1);
    const deleted = replica.organizations.delete(orgId);
    await Promise.race([deleted, waiting(2)]);
    await blocker.query('ROLLBACK');
    await Promise.all([asked, deleted]);
    await finishDeletions(replica.stores);
    assert.deepEqual(await runSql(url, 'SELECT * FROM quota_windows'), []);
    assert.deepEqual(await runSql(url, 'SELECT * FROM usage_records'), []);
  });
});
