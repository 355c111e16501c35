import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { eventually } from '../helpers/eventually.ts';
import { type OwnPostgres, runSql, startPostgres } from '../helpers/postgres.ts';
import { newOrganization } from '../helpers/replicas.ts';
import { statusWith } from '../helpers/requests.ts';
import { FaultRig } from './rig/fault-rig.ts';
import { survives } from './rig/survives.ts';

// A synchronous standby takes over under load, in the order of the runbook in docs/operations.md. No time is asserted.

describe('a failover to a synchronous standby', () => {
  let rig: FaultRig;
  let standby: OwnPostgres;
  beforeEach(async () => {
    rig = await FaultRig.open(2);
    standby = await synchronousStandbyOf(rig);
  });
  afterEach(async () => {
    rig?.printTable();
    await rig?.[Symbol.asyncDispose]();
    await standby?.[Symbol.asyncDispose]();
  });

  const promote = async () => {
    await runSql(`${standby.url}/postgres`, 'SELECT pg_promote()');
    rig.relay.leadTo(standby.url);
  };

  test('loses no confirmed request when the primary crashes', async () => {
    await survives(rig, 'failover, the primary crashed', async () => {
      await rig.postgres.stop('immediate');
      await promote();
      return undefined;
    });
  });

  test('loses no confirmed request and accepts no revoked key while the old primary runs on and only reads', async (t) => {
    const { keys, keyIds } = await newOrganization(rig.replicas.core, { amount: 100, window: 'month' }, 1);
    const statuses = () => Promise.all(rig.services.map(({ address }) => statusWith(address, keys[0]!)));
    assert.deepEqual(await statuses(), [200, 200]);
    await survives(rig, 'failover, the old primary only reads', async () => {
      await runSql(rig.adminUrl, 'ALTER SYSTEM SET default_transaction_read_only = on');
      await runSql(rig.adminUrl, 'SELECT pg_reload_conf()');
      await promote();
      return undefined;
    });
    // The first write of a process that still has a connection to the old primary is refused.
    const { keys: administered } = rig.replicas.core;
    await eventually(() =>
      administered.revoke(keyIds[0]!).then(
        () => true,
        () => false,
      ),
    );
    const refusedMs = await eventually(async () => (await statuses()).every((status) => status === 401));
    t.diagnostic(`refused on both replicas ${refusedMs.toFixed(0)} ms after it was revoked`);
  });
});

/** Restarts the primary with a standby that follows it, and makes each commit wait for the standby. */
async function synchronousStandbyOf({ postgres, adminUrl }: FaultRig): Promise<OwnPostgres> {
  await postgres.stop('fast');
  const standby = await startPostgres({
    durable: true,
    copyOf: postgres.directory,
    standbyOf: postgres.url,
  });
  await postgres.start();
  await runSql(adminUrl, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await runSql(adminUrl, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const [follower] = await runSql(adminUrl, 'SELECT sync_state FROM pg_stat_replication');
    return follower?.sync_state === 'sync';
  });
  return standby;
}
