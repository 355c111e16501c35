import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig, deadlinesMs } from '../../../../src/database/postgres/connection.ts';
import { loggableFault } from '../../../../src/database/postgres/faults.ts';
import { Pool } from '../../../../src/database/postgres/pool.ts';
import { withSession } from '../../../../src/database/postgres/session.ts';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { holdLocks, runSql, startPostgres } from '../../../helpers/postgres.ts';
import { organizationRow } from '../../../helpers/stored.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { accountsOf, limitedTo, openReplica, type Replica, reserve } from './replicas.ts';

const refusal = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });

const hints: [reason: Error, told: RegExp][] = [
  [refusal('08P01', 'unsupported startup parameter: statement_timeout'), /: the pooler must ignore it, or /],
  [
    refusal('53300', 'too many connections for role "app"'),
    /^too many .*: lower DATABASE_POOL_SIZE, or raise /,
  ],
  [
    refusal('53300', 'sorry, too many clients already'),
    /: lower DATABASE_POOL_SIZE, or raise max_connections /,
  ],
  [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), /the address has none$/],
  [new Error('getaddrinfo ENOTFOUND one,two'), /names several hosts, but there can be only one$/],
  ...[
    'self-signed certificate',
    'self-signed certificate in certificate chain',
    'unable to verify the first certificate',
    'unable to get local issuer certificate',
  ].map((message): [Error, RegExp] => [new Error(message), /unknown authority: .*sslrootcert=FILE, or /]),
];
for (const [reason, told] of hints) {
  test(`"${reason.message}" comes with what to do`, () => {
    assert.match((loggableFault(reason) as Error).message, told);
  });
}

const checked = {};
const unchecked = { rejectUnauthorized: false };
const parameters: Record<string, unknown> = {
  'sslmode=require': checked,
  'sslmode=verify-full': checked,
  'sslmode=no-verify': unchecked,
  'uselibpqcompat=true&sslmode=require': unchecked,
  'sslmode=require&uselibpqcompat=true': unchecked,
  'sslrootcert=system': checked,
  'uselibpqcompat=true&sslrootcert=system&sslmode=require': checked,
  'sslmode=disable': false,
};
for (const [query, ssl] of Object.entries(parameters)) {
  test(`an address with ${query} gets the TLS that it asks for`, () => {
    const client = new pg.Client(connectionConfig(`postgres://db/one?${query}`, new Set()));
    assert.deepEqual(client.ssl, ssl);
  });
}

describe('the stores while Postgres is away', async () => {
  const postgres = untilEnd(await startPostgres({ durable: true }));
  const url = await postgres.createDatabase();

  /** Everything that a request may need from the stores. */
  const callsOf = ({ stores, ledger }: Replica, orgId: string): Record<string, () => Promise<unknown>> => ({
    reserve: () => ledger.reserve(orgId, askOf('k')),
    standing: () => stores.ledger.standings(orgId, ['']),
    'key by digest': () => stores.keys.findByDigest('none'),
    'first organization': () => stores.organizations.insertFirst(organizationRow('org_first')),
    'vectors read': () => stores.vectors.get(['k'.repeat(32)]),
    'vectors pruned': () => stores.vectors.prune({ createdBeforeMs: 0, maxBytes: 1 }),
    usage: () => stores.usage.totalsByKey(orgId, 0, 1),
    ping: () => stores.ping(),
  });

  test('a session is opened although its first connection gets no response', async () => {
    await using relay = await openRelay(url);
    relay.cut();
    const session = withSession(relay.url, async (client) => (await client.query('SELECT 1 AS one')).rows);
    // The first connection has begun by then, and stays without a response.
    await setTimeout(300);
    relay.mend();
    assert.deepEqual(await session, [{ one: 1 }]);
  });

  test('a call gets a connection that became free while this process was too busy to notice', async () => {
    const pool = new Pool(url, 1, { deadlines: { ...deadlinesMs, connect: 100 } });
    untilEnd({ [Symbol.asyncDispose]: () => pool.close() });
    for (const ask of [
      () => pool.query({ name: 'one', text: 'SELECT 1' }, []),
      async () => (await pool.lease()).release(),
    ]) {
      const lease = await pool.lease();
      const ended = lease.query('SELECT 1').then(() => lease.release());
      const asked = ask();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await Promise.all([ended, asked]);
    }
  });

  test('a statement whose deadline has passed is reported as unavailable', async () => {
    const pool = new Pool(url, 1, { deadlines: { ...deadlinesMs, statement: 50 } });
    untilEnd({ [Symbol.asyncDispose]: () => pool.close() });
    await assert.rejects(pool.query({ name: 'sleep', text: 'SELECT pg_sleep(1)' }, []), {
      code: 'unavailable',
    });
  });

  test('a text that Postgres cannot store is reported as the caller’s error', async () => {
    await using replica = await openReplica(url);
    for (const call of [
      () => replica.stores.users.find('a\0b'),
      () => replica.stores.keys.findByDigest('a\0b'),
      () => replica.stores.usage.rows('a\0b', 0, 1),
      () => replica.organizations.delete('a\0b'),
    ]) {
      await assert.rejects(call, { code: 'invalid_request', message: 'No text may have the NUL character' });
    }
  });

  const allReject = async (t: TestContext, calls: Record<string, () => Promise<unknown>>) => {
    const startMs = performance.now();
    await Promise.all(
      Object.entries(calls).map(([name, call]) => assert.rejects(call(), { code: 'unavailable' }, name)),
    );
    t.diagnostic(`rejected within ${(performance.now() - startMs).toFixed(0)} ms`);
  };
  const allWorkAgain = async (t: TestContext, calls: Record<string, () => Promise<unknown>>) => {
    const works = async () => {
      const outcomes = await Promise.allSettled(Object.values(calls).map((call) => call()));
      return outcomes.every(({ status }) => status === 'fulfilled');
    };
    t.diagnostic(`working again ${(await eventually(works)).toFixed(0)} ms after it was back`);
  };

  test('the stores recover when Postgres has crashed and is started again', async (t) => {
    await using replica = await openReplica(url);
    replica.stores.watch.onChange(() => {});
    const orgId = await limitedTo(replica, 1_000);
    const calls = callsOf(replica, orgId);
    await allWorkAgain(t, calls);
    await eventually(() => replica.stores.watch.current());
    const { used: before } = await accountsOf(replica, orgId);
    await postgres.stop('immediate');
    await allReject(t, calls);
    assert.equal(replica.stores.watch.current(), false);
    await postgres.start();
    await allWorkAgain(t, calls);
    await eventually(() => replica.stores.watch.current());
    const { used, counted } = await accountsOf(replica, orgId);
    assert.equal(used, counted);
    assert.ok(used! > before!);
  });

  test('a server that takes no writes is not ready, and its connections are replaced by new ones', async (t) => {
    const database = new URL(url).pathname.slice(1);
    const admin = new URL(url);
    admin.pathname = 'postgres';
    // Applies to sessions that begin from now on, as after a primary was demoted.
    const setReadOnly = (value: string) =>
      runSql(admin.href, `ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
    await using before = await openReplica(url);
    const orgId = await limitedTo(before, 1_000);
    await setReadOnly('on');
    await using replica = await openReplica(url);
    await assert.rejects(replica.stores.ping());
    await Promise.all([
      replica.stores.ledger.standings(orgId, ['']),
      replica.stores.ledger.standings(orgId, ['']),
    ]);
    await assert.rejects(replica.ledger.reserve(orgId, askOf('k')), { code: 'unavailable' });
    await setReadOnly('off');
    await allWorkAgain(t, {
      reserve: () => replica.ledger.reserve(orgId, askOf('k')),
      ping: () => replica.stores.ping(),
    });
  });

  test('lookups beyond the number of connections are refused in time, and delay no decision', async (t) => {
    await using replica = await openReplica(url, { poolSize: 4 });
    const orgId = await limitedTo(replica, 1_000);
    const locks = await holdLocks(url, 'LOCK TABLE api_keys');
    const lookUp = () => replica.stores.keys.findByDigest('none');
    const lookups = allReject(t, Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, lookUp])));
    assert.ok(await reserve(replica, orgId, 'k'));
    await lookups;
    await locks[Symbol.asyncDispose]();
    await allWorkAgain(t, { lookUp });
  });
});
