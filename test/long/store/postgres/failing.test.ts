import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import pino from 'pino';
import { systemClock } from '../../../../src/lib/clock.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { openPostgresStores } from '../../../../src/service/postgres/open.ts';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { holdLocks, openPostgres, runSql } from '../../../helpers/postgres.ts';
import { lineOf, recorderOf } from '../../../helpers/stored.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import {
  accountsOf,
  addLimit,
  limitedTo,
  openReplica,
  patient,
  type Replica,
} from '../../../service/store/postgres/replicas.ts';

describe('an organization whose rows make a statement fail', async () => {
  let url: string;
  let replica: Replica;
  const postgres = untilEnd(await openPostgres());
  beforeEach(async () => {
    url = await postgres.createDatabase();
    replica = await openReplica(url);
  });
  afterEach(() => replica[Symbol.asyncDispose]());

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

  const heldRows = {
    month: (orgId: string) =>
      `SELECT FROM quota_windows WHERE org_id = '${orgId}' AND window_kind = 'month' FOR UPDATE`,
    limit: (orgId: string) => `SELECT FROM limits WHERE org_id = '${orgId}' FOR UPDATE`,
    usage: (orgId: string) => `SELECT FROM usage_records WHERE org_id = '${orgId}' FOR UPDATE`,
    organization: (orgId: string) =>
      `WITH gone AS (DELETE FROM quota_windows WHERE org_id = '${orgId}') SELECT FROM organizations WHERE org_id = '${orgId}' FOR UPDATE`,
  };
  for (const [what, hold] of Object.entries(heldRows)) {
    test(`waits alone while another transaction holds its row, and continues afterwards: ${what}`, async () => {
      const [held = '', ...others] = await organizations({ limited: true });
      const locks = await holdLocks(url, hold(held));
      for (let round = 0; round < 2; round += 1) {
        const outcomes = await reserveAll([held, ...others]);
        assert.deepEqual(outcomes, ['unavailable', ...others.map(() => 'granted')]);
      }
      await locks[Symbol.asyncDispose]();
      await eventually(async () => (await reserveAll([held]))[0] === 'granted');
      for (const orgId of [held, ...others]) {
        const used = orgId === held ? 2 : 3;
        assert.deepEqual(await accountsOf(replica, orgId), { used, counted: used });
      }
    });
  }

  for (const isLimited of [true, false]) {
    test(`fails alone while the rows of another one are locked, ${isLimited ? 'with' : 'without'} limits`, async () => {
      const orgIds = await organizations({ limited: isLimited });
      // They stay together in the halves of a statement for as long as possible.
      const [locked, failing, ...others] = orgIds.toSorted();
      await refuseWrites(isLimited ? 'limits' : 'quota_windows', failing!);
      const held = await holdLocks(url, `SELECT FROM quota_windows WHERE org_id = '${locked}' FOR UPDATE`);
      const ofLocked = reserveAll([locked!]);
      const outcomes = await reserveAll([failing!, ...others]);
      await held[Symbol.asyncDispose]();
      assert.deepEqual(outcomes, ['unavailable', ...others.map(() => 'granted')]);
      assert.deepEqual(await ofLocked, ['granted']);
    });
  }
});

const today = () => dayOf(systemClock.now());

describe('a Postgres whose responses can be lost', async () => {
  const postgres = untilEnd(await openPostgres());

  test('records whose write was committed but not confirmed count once', async () => {
    await using relay = await openRelay(await postgres.createDatabase());
    await using replica = await openReplica(relay.url, patient);
    const { orgId } = await replica.organizations.create({
      name: 'Lost',
      tier: 'free',
      custom: null,
    });
    const errors: unknown[] = [];
    const recorder = recorderOf(replica.stores.usage, (reason) => errors.push(reason));
    const record = (times: number) => {
      for (let i = 0; i < times; i += 1) recorder.recordLine(lineOf({ orgId }));
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
    await recorder.flush();
    assert.equal(errors.length, 1);
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
});

describe('the report of a Postgres error', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const stores = await openPostgresStores(url);
  after(async () => {
    await stores.close();
  });

  /** As the log prints it, and as the command line does when debugging. */
  const toldOf = async (call: () => Promise<unknown>): Promise<string> => {
    const [outcome] = await Promise.allSettled([call()]);
    assert.equal(outcome.status, 'rejected');
    const lines: string[] = [];
    pino({}, { write: (line: string) => lines.push(line) }).warn({ err: outcome.reason }, 'unavailable');
    return `${lines.join('')}\n${inspect(outcome.reason, { depth: 10 })}`;
  };
  const ask = { orgId: 'org_a', runs: [{ ask: askOf('key_a'), count: 1 }], returns: [] };
  const secrets =
    /quota_windows|usage_records|organizations_pkey|api_keys|SELECT|INSERT|PL\/pgSQL|org_a|key_a|digest/;

  test('describes a refused statement by its SQLSTATE, without SQL, tables, rows or values', async () => {
    const limits = { tier: 'free', custom: null, externalId: null, suspended: null } as const;
    const organization = { orgId: 'org_a', name: 'a', ...limits, createdAt: 1, revision: 1 };
    await stores.organizations.insert(organization);
    const twice = await toldOf(() => stores.organizations.insert(organization));
    assert.match(twice, /SQLSTATE 23505.*"code":"23505"/);
    assert.doesNotMatch(twice, secrets);

    await runSql(url, 'ALTER TABLE usage_records ADD CONSTRAINT none CHECK (counted < 0)');
    const inFunction = await toldOf(() => stores.ledger.flush([ask]));
    assert.match(inFunction, /SQLSTATE 23514/);
    assert.doesNotMatch(inFunction, secrets);
  });

  test('repeats what the server says about itself', async () => {
    assert.match(await toldOf(() => openPostgresStores(`${url}_none`)), /database \\?"\w+" does not exist/);
  });

  test('never contains the password of the address', async () => {
    const wrong = new URL(url);
    wrong.password = 'hunter2';
    wrong.port = '1';
    assert.doesNotMatch(await toldOf(() => openPostgresStores(wrong.href)), /hunter2/);
    wrong.port = new URL(url).port;
    wrong.username = 'nobody';
    assert.doesNotMatch(await toldOf(() => openPostgresStores(wrong.href)), /hunter2/);
  });
});
