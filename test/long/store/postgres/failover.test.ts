import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Authenticator } from '../../../../src/keys/authenticate.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { askOf } from '../../../helpers/asks.ts';
import { eventually } from '../../../helpers/eventually.ts';
import {
  holdLocks,
  type OwnPostgres,
  openPostgres,
  runSql,
  startPostgres,
} from '../../../helpers/postgres.ts';
import { openRelay } from '../../../helpers/tcp-relay.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import {
  accountsOf,
  addLimit,
  keyring,
  limitedTo,
  openReplica,
  type Replica,
} from '../../../service/store/postgres/replicas.ts';

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

describe('rows of one organization that another transaction has locked', async () => {
  const postgres = untilEnd(await openPostgres());
  const url = await postgres.createDatabase();
  const replica = untilEnd(await openReplica(url));

  const locks: Record<string, (orgId: string) => string> = {
    'its window': (orgId) => `SELECT FROM quota_windows WHERE org_id = '${orgId}' FOR UPDATE`,
    'the usage of its keys': (orgId) => `SELECT FROM usage_records WHERE org_id = '${orgId}' FOR UPDATE`,
    'a limit of it': (orgId) => `SELECT FROM limits WHERE org_id = '${orgId}' FOR UPDATE`,
    itself: (orgId) => `SELECT FROM organizations WHERE org_id = '${orgId}' FOR UPDATE`,
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
      const held = await holdLocks(url, sql(locked));
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
      await held[Symbol.asyncDispose]();
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
