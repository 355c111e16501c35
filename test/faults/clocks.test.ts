import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Environment } from '../helpers/embedgate.ts';
import { eventually } from '../helpers/eventually.ts';
import { FastClient } from '../helpers/fast-client.ts';
import { runSql, startPostgres } from '../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../helpers/replicas.ts';
import { type RunningService, startService } from '../helpers/service.ts';
import { clockAhead, missingFaketime } from './rig/faked-clock.ts';
import { startFaultLoad } from './rig/fault-load.ts';

// Replicas whose clocks are wrong by ten minutes beside one whose clock is right. The times are printed, and
// not asserted.

const skewMs = 600_000;
/** A second for the header, and some for the machine. */
const toleranceMs = 10_000;
const dayMs = 86_400_000;
/** The replicas have to start within it. */
const untilMonthsEndMs = 100_000;
const afterMonthsEndMs = 15_000;

describe('replicas whose clocks differ', { skip: missingFaketime() }, () => {
  let running: AsyncDisposableStack;
  let url: string;
  let replicas: Replicas;
  beforeEach(() => {
    running = new AsyncDisposableStack();
  });
  afterEach(() => running.disposeAsync());

  const open = async (clock: Environment): Promise<void> => {
    const postgres = running.use(await startPostgres({ durable: true, environment: clock }));
    url = await postgres.createDatabase();
    // There are none yet, since each of them gets a clock.
    replicas = running.use(await startReplicas(url, 0));
  };
  /** Starts a replica that is `skewMs` ahead of the database's clock. */
  const start = async (skewMs: number, databaseAheadMs = 0): Promise<RunningService> => {
    const clock = clockAhead(databaseAheadMs + skewMs);
    const service = running.use(await startService({ environment: { ...replicas.environment, ...clock } }));
    const { headers } = await fetch(`${service.address}/health`);
    const aheadMs = Date.parse(headers.get('date')!) - Date.now() - databaseAheadMs;
    assert.ok(Math.abs(aheadMs - skewMs) < toleranceMs, `${aheadMs} ms ahead instead of ${skewMs}`);
    return service;
  };

  test('raise an alert soon after the replica that is ahead was killed while it held the lease', async (t) => {
    await open({});
    const { core } = replicas;
    const ahead = await start(skewMs);
    const leased = async (): Promise<string | undefined> =>
      (await runSql(url, `SELECT holder FROM leases WHERE name = 'alerts'`))[0]?.holder;
    await eventually(async () => (await leased()) !== undefined, { withinMs: 120_000, everyMs: 100 });
    const holder = await leased();
    const right = await start(0);
    await start(-skewMs);
    const { orgId, keys } = await newOrganization(core, { amount: 1_000, window: 'month' }, 1);
    using client = new FastClient();
    for (let i = 0; i < 30; i++) {
      assert.equal((await client.embed(right.address, keys[0]!, `text ${i}`)).status, 200);
    }

    await ahead.kill('SIGKILL');
    assert.equal(await leased(), holder);
    // Nobody counts a request after this, so the sweep of all organizations has to notice it.
    await core.organizations.setTier(orgId, 'enterprise', { amount: 40, window: 'month' });
    const raised = async () =>
      (await runSql(url, 'SELECT FROM alerts WHERE org_id = $1', [orgId])).length > 0;
    const raisedMs = await eventually(raised, { withinMs: 180_000, everyMs: 100 });
    assert.notEqual(await leased(), holder);
    t.diagnostic(`raised ${(raisedMs / 1_000).toFixed(1)} s after the holder of the lease was killed`);
  });

  test('count each request in the month and on the day of the database', async (t) => {
    const now = new Date();
    const monthStartMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    const aheadMs = monthStartMs - untilMonthsEndMs - now.getTime();
    await open(clockAhead(aheadMs));
    const skewsMs = [0, skewMs, -skewMs];
    const services = await Promise.all(skewsMs.map((ms) => start(ms, aheadMs)));
    const { orgId, keys } = await newOrganization(
      replicas.core,
      { amount: 1_000_000, window: 'month' },
      services.length,
    );
    const clients = services.map(({ address }, i) => ({ key: keys[i]!, address: () => address }));
    const load = startFaultLoad(clients, { withCached: false });
    const hasEnded = async () =>
      (await runSql(url, 'SELECT extract(epoch FROM now()) * 1000 >= $1 AS ended', [monthStartMs]))[0]?.ended;
    assert.equal(await hasEnded(), false, 'it took too long to start');
    await eventually(hasEnded, { withinMs: 2 * untilMonthsEndMs, everyMs: 100 });
    await setTimeout(afterMonthsEndMs);
    await load.stop();

    const computed = load.met.reduce((sum, met) => sum + met.computed, 0);
    assert.deepEqual(load.unexpected, []);
    assert.ok(load.met.every(({ failed }) => failed === 0));
    const days = await runSql(
      url,
      `SELECT day::INT, sum(counted)::INT AS counted FROM usage_records WHERE org_id = $1 GROUP BY day ORDER BY day`,
      [orgId],
    );
    t.diagnostic(JSON.stringify({ computed, days }));
    const firstDay = monthStartMs / dayMs;
    assert.deepEqual(
      days.map(({ day }) => day),
      [firstDay - 1, firstDay],
    );
    assert.equal(days[0]!.counted + days[1]!.counted, computed);
    using client = new FastClient();
    for (const { address } of services) {
      const { body } = await client.get(`${address}/v1/usage`, keys[0]!);
      const { month, used, totals } = JSON.parse(body);
      assert.deepEqual(
        { month, used, counted: totals.counted },
        {
          month: new Date(monthStartMs).toISOString().slice(0, 7),
          used: days[1]!.counted,
          counted: days[1]!.counted,
        },
      );
    }
  });
});
