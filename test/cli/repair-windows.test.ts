import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { windowAt } from '../../src/quota/window.ts';
import { openGate } from '../../src/service/gate.ts';
import { askOf } from '../helpers/asks.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate, embedgateJson } from '../helpers/embedgate.ts';

type Repair = {
  repaired: boolean;
  windows: { org_id: string; window: string; used: number; new_used?: number }[];
};

test('orgs repair-windows moves back windows that a clock running ahead left in the future', async () => {
  using directory = temporaryDirectory();
  const environment = { DATA_DIR: directory.path };
  let orgId: string;
  {
    // It stands still, so that no hour ends between the requests.
    const aheadMs = systemClock.now() + 40 * 86_400_000;
    const gate = await openGate(readConfig(environment), { now: () => aheadMs });
    const made = await gate.organizations.create({ name: 'Ahead', tier: 'free', custom: null });
    orgId = made.orgId;
    await gate.limits.add(orgId, { keyId: null, unit: 'texts', window: 'hour', amount: 5 });
    for (let i = 0; i < 3; i += 1) await gate.ledger.reserve(orgId, askOf('key'));
    await gate.close();
  }
  const repair = (...args: string[]) =>
    embedgateJson<Repair>(['orgs', 'repair-windows', ...args], environment);
  const listed = await repair('--dry-run');
  assert.equal(listed.repaired, false);
  assert.deepEqual(
    listed.windows.map(({ org_id, window, used }) => [org_id, window, used]),
    [
      [orgId, 'month', 3],
      [orgId, 'hour', 3],
    ],
  );
  const repaired = await repair();
  assert.deepEqual(
    repaired.windows.map(({ window, used, new_used }) => [window, used, new_used]),
    [
      ['month', 3, 3],
      ['hour', 3, 3],
    ],
  );
  assert.deepEqual((await repair()).windows, []);
  const { stdout } = await embedgate(['orgs', 'repair-windows'], environment);
  assert.match(stdout, /No window begins in the future/);
  type Usage = { month: string; quota: { used: number }; totals: { counted: number } };
  const usage = await embedgateJson<Usage>(['usage', '--org-id', orgId], environment);
  const month = new Date(windowAt('month', systemClock.now()).startMs).toISOString().slice(0, 7);
  assert.deepEqual([usage.month, usage.quota.used, usage.totals.counted], [month, 3, 3]);
});
