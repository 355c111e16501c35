import assert from 'node:assert/strict';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgateJson } from '../helpers/embedgate.ts';
import { startLoad } from '../helpers/load.ts';
import { startService } from '../helpers/service.ts';

const clients = 16;

type Usage = { used: number; totals: { counted: number }; by_key?: { counted: number }[] };

/**
 * Kills a service at random moments under load, `kills` times, and checks its counts after each: no confirmed request
 * is lost, and no more are counted than were sent. Throws if that fails, and otherwise prints what it saw.
 */
export async function killUnderLoad(kills: number): Promise<string> {
  using directory = temporaryDirectory();
  const first = await startService({ dataDir: directory.path });
  const { key, orgId, environment } = first;
  const { key: secondKey } = await embedgateJson<{ key: string }>(
    ['keys', 'create', '--user-id', 'u', '--org-id', orgId, '--name', 'second'],
    environment,
  );
  await embedgateJson(['orgs', 'set-tier', '--org-id', orgId, '--tier', 'scale'], environment);
  await first.kill('SIGKILL');

  let answered = 0;
  let unknown = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await using service = await startService({ dataDir: directory.path });
    const before = await usage(service.address, key);
    assert.equal(before.used, before.totals.counted, 'the ledger is the sum of its keys');
    assert.ok(before.used >= answered, `used ${before.used}, answered ${answered}`);
    assert.ok(before.used <= answered + unknown, `used ${before.used}, sent ${answered + unknown}`);

    const load = startLoad(service.address, [key, secondKey], clients);
    // A moment that no timer chooses: after a random number of responses.
    const killAfter = 1 + Math.floor(Math.random() * 150);
    while (load.answered < killAfter && load.unknown === 0) await new Promise(setImmediate);
    await service.kill('SIGKILL');
    await load.done;
    assert.equal(load.refused, 0);
    answered += load.answered;
    unknown += load.unknown;
  }

  await using service = await startService({ dataDir: directory.path });
  const after = await usage(service.address, key);
  assert.equal(after.used, after.totals.counted);
  assert.ok(after.used >= answered && after.used <= answered + unknown);
  return `answered ${answered}, in flight at the kills ${unknown}, used ${after.used}`;
}

async function usage(address: string, key: string): Promise<Usage> {
  const response = await fetch(`${address}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  return (await response.json()) as Usage;
}
