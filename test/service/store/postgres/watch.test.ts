import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { after, describe, test } from 'node:test';
import { writableText } from '../../../../src/database/postgres/connection.ts';
import { Authenticator } from '../../../../src/keys/authenticate.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { nilId } from '../../../../src/lib/ids.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { openPostgres, runSql } from '../../../helpers/postgres.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { closeAll, keyring, openReplica, patient, type Replica } from './replicas.ts';

describe('changes sent from replica to replica', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const here = await openReplica(url, patient);
  const there = await openReplica(url, patient);
  after(async () => {
    await closeAll([here, there]);
  });

  const authenticatorOf = ({ stores }: Replica) => {
    const { keys, watch } = stores;
    return new Authenticator({ keys, keyring, watch, clock: systemClock });
  };
  const newKey = async (replica: Replica) => {
    const { orgId } = await replica.organizations.create({ name: 'test', tier: 'free' });
    const { secret, key } = await replica.keys.create({ orgId, userId: 'user', name: 'key' });
    return { orgId, keyId: key.keyId, bearer: `Bearer ${secret}` };
  };
  const isRefused = async (authenticator: Authenticator, bearer: string) => {
    try {
      await authenticator.authenticate(bearer);
      return false;
    } catch (reason) {
      assert.equal((reason as { code: string }).code, 'invalid_api_key');
      return true;
    }
  };

  test('a key revoked on one replica is refused on another', async (t) => {
    const authenticator = authenticatorOf(there);
    await eventually(() => there.stores.watch.current());
    const tookMs: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { keyId, bearer } = await newKey(here);
      assert.equal(await isRefused(authenticator, bearer), false);
      await here.keys.revoke(keyId);
      tookMs.push(await eventually(() => isRefused(authenticator, bearer), { everyMs: 0 }));
    }
    const [fastest, slowest] = [Math.min(...tookMs), Math.max(...tookMs)];
    t.diagnostic(
      `refused ${fastest.toFixed(1)} to ${slowest.toFixed(1)} ms after the revocation was committed`,
    );
  });

  test('a key is refused by its own replica as soon as its organization is suspended', async () => {
    const authenticator = authenticatorOf(here);
    const { orgId, bearer } = await newKey(here);
    for (let i = 0; i < 20; i += 1) {
      await here.organizations.change(orgId, { suspended: null });
      await authenticator.authenticate(bearer);
      await here.organizations.change(orgId, { suspended: 'Overdue.' });
      await assert.rejects(async () => authenticator.authenticate(bearer), { code: 'forbidden' });
    }
  });

  test('each change is sent once, with its organization', async () => {
    const told: (string | undefined)[] = [];
    there.stores.watch.onChange((orgId) => told.push(orgId));
    await eventually(() => there.stores.watch.current());
    const { orgId } = await newKey(here);
    await here.organizations.setTier(orgId, 'pro', null);
    const { orgId: later } = await newKey(here);
    // Changes arrive in order: everything about the first has arrived before the second.
    await eventually(() => told.includes(later));
    assert.equal(told.filter((id) => id === orgId).length, 3);
  });

  test('while the listening connection is down, nothing remembered is trusted; afterwards everything may have changed', async () => {
    const failures: unknown[] = [];
    await using there = await openReplica(url, {
      ...patient,
      onListenFailure: (reason) => failures.push(reason),
    });
    const authenticator = authenticatorOf(there);
    const told: (string | undefined)[] = [];
    there.stores.watch.onChange((orgId) => told.push(orgId));
    await eventually(() => there.stores.watch.current());
    const { keyId, bearer } = await newKey(here);
    assert.equal(await isRefused(authenticator, bearer), false);
    told.length = 0;
    // Begins before the connection is lost, because it may be replaced before the next statement ends.
    const isLost = eventually(() => !there.stores.watch.current(), { everyMs: 0 });
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND (query LIKE 'LISTEN embedgate_changes%' OR query = '${writableText}')`,
    );
    await isLost;
    await here.keys.revoke(keyId);
    assert.equal(await isRefused(authenticator, bearer), true);
    await eventually(() => there.stores.watch.current());
    assert.ok(told.includes(undefined));
    assert.equal(failures.length, 1);
  });

  test('an address that now leads to another server is noticed: nothing remembered is trusted, and the log has the reason', async () => {
    const failures: unknown[] = [];
    await using there = await openReplica(url, {
      ...patient,
      listenUrl: await postgres.createDatabase(),
      onListenFailure: (reason) => failures.push(reason),
    });
    const authenticator = authenticatorOf(there);
    await eventually(() => failures.length > 0);
    assert.match(String(failures[0]), /DATABASE_LISTEN_URL must lead to the same database/);
    assert.equal(there.stores.watch.current(), false);
    const { keyId, bearer } = await newKey(here);
    assert.equal(await isRefused(authenticator, bearer), false);
    await here.keys.revoke(keyId);
    assert.equal(await isRefused(authenticator, bearer), true);
  });

  test('a connection that dies silently is noticed before a change on it can be missed', async (t) => {
    await using relay = await openRelay(url);
    await using remote = await openReplica(url, { ...patient, listenUrl: relay.url });
    const authenticator = authenticatorOf(remote);
    let told = 0;
    remote.stores.watch.onChange(() => {
      told += 1;
    });
    await eventually(() => remote.stores.watch.current());
    told = 0;
    const { keyId, bearer } = await newKey(here);
    // Later than the notifications of its creation: from now on the key is remembered.
    await eventually(() => told >= 2);
    assert.equal(await isRefused(authenticator, bearer), false);
    relay.cut();
    await here.keys.revoke(keyId);
    const tookMs = await eventually(() => isRefused(authenticator, bearer), { everyMs: 0 });
    t.diagnostic(`refused ${tookMs.toFixed(0)} ms after the revocation, by a replica that was cut off`);
    relay.mend();
    const backMs = await eventually(() => remote.stores.watch.current());
    t.diagnostic(`listening again ${backMs.toFixed(0)} ms after the network came back`);
  });

  test('closing does not wait for a server that does not respond', async (t) => {
    await using relay = await openRelay(url);
    const { stores } = await openReplica(relay.url);
    stores.watch.onChange(() => {});
    await Promise.all([stores.ping(), stores.organizations.exists(nilId)]);
    relay.cut();
    const startMs = performance.now();
    await stores.close();
    t.diagnostic(`closed after ${(performance.now() - startMs).toFixed(0)} ms`);
  });
});
