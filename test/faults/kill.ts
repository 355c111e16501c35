import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgateJson } from '../helpers/embedgate.ts';
import { startLoad } from '../helpers/load.ts';
import { startService } from '../helpers/service.ts';

const clients = 16;
/** What reports call the units that a tier can count. */
const figures = { requests: 'counted', texts: 'counted_texts', tokens: 'counted_tokens' } as const;
type Unit = keyof typeof figures;
const units = Object.keys(figures) as Unit[];

interface Usage {
  readonly unit: Unit;
  readonly used: number;
  readonly totals: Readonly<Record<(typeof figures)[Unit], number>>;
}

/**
 * Kills a service at random moments under load, `kills` times, and checks its counts after each: no confirmed request
 * is lost, no more are counted than were sent, and reports state what the ledger has counted, for a tier of each unit.
 * Throws if that fails, and otherwise prints what it saw.
 */
export async function killUnderLoad(kills: number): Promise<string> {
  using directory = temporaryDirectory();
  const settings = join(directory.path, 'embedgate.yaml');
  const tiers = units.map((unit) => `{name: ${unit}, unit: ${unit}, limit: unlimited}`);
  writeFileSync(settings, `tiers: [${tiers}]`);
  const start = () =>
    startService({
      dataDir: directory.path,
      environment: { EMBEDGATE_CONFIG: settings, DEFAULT_TIER: 'requests' },
    });
  const first = await start();
  const { environment } = first;
  const keys: string[] = [];
  for (const tier of units) {
    const { org_id: orgId } = await embedgateJson<{ org_id: string }>(
      ['orgs', 'create', '--name', tier, '--tier', tier],
      environment,
    );
    // Two, because the ledger has the sum of an organization's keys.
    for (const name of ['first', 'second']) {
      const { key } = await embedgateJson<{ key: string }>(
        ['keys', 'create', '--user-id', 'u', '--org-id', orgId, '--name', name],
        environment,
      );
      keys.push(key);
    }
  }
  await first.kill('SIGKILL');

  let answered = 0;
  let unknown = 0;
  const check = async (address: string): Promise<number> => {
    let requests = 0;
    for (const key of keys) {
      const { unit, used, totals } = await usage(address, key);
      assert.equal(used, totals[figures[unit]], `reports have the ${unit} of the ledger`);
      // Each request has one text.
      assert.equal(totals.counted_texts, totals.counted);
      requests += totals.counted / 2;
    }
    assert.ok(requests >= answered, `counted ${requests}, answered ${answered}`);
    assert.ok(requests <= answered + unknown, `counted ${requests}, sent ${answered + unknown}`);
    return requests;
  };
  for (let kill = 0; kill < kills; kill += 1) {
    await using service = await start();
    await check(service.address);
    const load = startLoad(service.address, keys, clients);
    // A moment that no timer chooses: after a random number of responses.
    const killAfter = 1 + Math.floor(Math.random() * 150);
    while (load.answered < killAfter && load.unknown === 0) await new Promise(setImmediate);
    await service.kill('SIGKILL');
    await load.done;
    assert.equal(load.refused, 0);
    answered += load.answered;
    unknown += load.unknown;
  }

  await using service = await start();
  const counted = await check(service.address);
  return `answered ${answered}, in flight at the kills ${unknown}, counted ${counted}`;
}

async function usage(address: string, key: string): Promise<Usage> {
  const response = await fetch(`${address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  return (await response.json()) as Usage;
}
