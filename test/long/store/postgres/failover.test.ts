import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Authenticator } from '../../../../src/keys/authenticate.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type OwnPostgres, runSql, startPostgres } from '../../../helpers/postgres.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { keyring, openReplica, type Replica } from '../../../service/store/postgres/replicas.ts';

describe('a failover from one Postgres to another', () => {
  let [old, promoted]: OwnPostgres[] = [];
  let url = '';
  let promotedUrl = '';
  const keysOf: { keyId: string; bearer: string }[] = [];

  before(async () => {
    old = await startPostgres();
    url = await old.createDatabase();
    {
      await using replica = await openReplica(url);
      const { orgId } = await replica.organizations.create({ name: 'test', tier: 'free' });
      for (let i = 0; i < 2; i++) {
        const { secret, key } = await replica.keys.create({ orgId, userId: 'user', name: 'key' });
        keysOf.push({ keyId: key.keyId, bearer: `Bearer ${secret}` });
      }
    }
    // As a synchronous standby has it.
    await old.stop('fast');
    promoted = await startPostgres({ copyOf: old.directory });
    await old.start();
    const { port } = new URL(await promoted.createDatabase());
    promotedUrl = Object.assign(new URL(url), { port }).href;
  });
  after(async () => {
    await old?.[Symbol.asyncDispose]();
    await promoted?.[Symbol.asyncDispose]();
  });

  const authenticatorOf = ({ stores: { keys, watch } }: Replica) =>
    new Authenticator({ keys, keyring, watch, clock: systemClock });
  const isAccepted = (authenticator: Authenticator, bearer: string) =>
    Promise.resolve(authenticator.authenticate(bearer)).then(
      () => true,
      () => false,
    );

  test('notifications from the old primary are not trusted either, if it takes writes and only requests have moved', async () => {
    await using relay = await openRelay(url);
    await using replica = await openReplica(relay.url, { listenUrl: url });
    const authenticator = authenticatorOf(replica);
    const { keyId, bearer } = keysOf[1]!;
    await eventually(() => replica.stores.watch.current());
    assert.equal(await isAccepted(authenticator, bearer), true);
    relay.leadTo(promotedUrl);
    await runSql(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND query NOT LIKE 'LISTEN%' AND query NOT LIKE '%LIMIT 0 FOR UPDATE' AND query <> 'SELECT 1'`,
    );
    await using elsewhere = await openReplica(promotedUrl);
    await elsewhere.keys.revoke(keyId);
    await eventually(async () => !(await isAccepted(authenticator, bearer)));
    assert.equal(replica.stores.watch.current(), false);
  });
});
