import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { newPem } from '../../helpers/replicas.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';

type Reissued = { reissued: number; already_current: number; left_invalid: number };
type Created = { key: string };

describe('the signing-key commands', () => {
  it('rotate and retire the key without a failed request of a running server', async () => {
    await using service = await startService();
    const run = <R>(...args: string[]) => embedgateJson<R>(args, service.environment);
    const createKey = (name: string, orgId: string) =>
      run<Created>('create', '--user-id', 'ada', '--org-id', orgId, '--name', name);
    const { org_id } = await run<{ org_id: string }>('orgs', 'create', '--name', 'Other', '--tier', 'pro');
    const others = [await createKey('b', service.orgId), await createKey('c', org_id)];
    const keyFile = () => readFileSync(join(service.dataDir, 'signing-key.pem'), 'utf8');
    const before = keyFile();

    const clients = [service.key, ...others.map(({ key }) => key)].map((key) => hammer(service.address, key));
    const rotated = await run<Reissued>('signing-key', 'rotate');
    assert.deepEqual(rotated, { reissued: 3, already_current: 0, left_invalid: 0 });
    assert.ok(keyFile().endsWith(before) && keyFile().length > before.length);
    clients.push(hammer(service.address, (await createKey('d', org_id)).key));
    assert.deepEqual(await run('signing-key', 'retire'), { retired: 1 });
    assert.ok(!keyFile().includes(before));

    for (const client of clients) {
      const { statuses, afterwards } = await client.stop();
      assert.deepEqual([...statuses], [200]);
      assert.equal(afterwards, 200);
    }
  });

  it('report what they did', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    const { org_id } = await embedgateJson<{ org_id: string }>(
      ['orgs', 'create', '--name', 'Acme'],
      environment,
    );
    await runCommand(['create', '--user-id', 'ada', '--org-id', org_id, '--name', 'a'], environment);
    const signingKey = async (command: string) =>
      done(await runCommand(['signing-key', command], environment));
    assert.equal(await signingKey('retire'), 'There was no older signing key.\n');
    assert.equal(await signingKey('rotate'), 'Re-signed 1 token.\n');
    assert.equal(await signingKey('reissue'), 'No token had to be re-signed.\n');
    assert.equal(await signingKey('retire'), 'Retired 1 signing key.\n');
  });

  it('require a key from the environment to be changed by hand: [old, new], [new, old], reissue, [new]', async () => {
    using directory = temporaryDirectory();
    const [older, newer] = [newPem(), newPem()];
    const withKeys = (...pems: string[]) => ({ DATA_DIR: directory.path, SIGNING_KEY: pems.join('') });
    const { org_id } = await embedgateJson<{ org_id: string }>(
      ['orgs', 'create', '--name', 'Acme'],
      withKeys(older),
    );
    await runCommand(['create', '--user-id', 'ada', '--org-id', org_id, '--name', 'a'], withKeys(older));

    for (const command of ['rotate', 'retire']) {
      const reason = refused(await runCommand(['signing-key', command], withKeys(older)));
      assert.match(reason, /^SIGNING_KEY contains the keys themselves.*signing-key reissue/);
      assert.doesNotMatch(reason, /PRIVATE KEY/);
    }
    const reissue = (...pems: string[]) =>
      embedgateJson<Reissued>(['signing-key', 'reissue'], withKeys(...pems));
    assert.deepEqual(await reissue(older, newer), { reissued: 0, already_current: 1, left_invalid: 0 });
    assert.deepEqual(await reissue(newer, older), { reissued: 1, already_current: 0, left_invalid: 0 });
    assert.deepEqual(await reissue(newer), { reissued: 0, already_current: 1, left_invalid: 0 });
  });
});

/** Sends requests until it is stopped, and then one more to check that the key still works. */
function hammer(address: string, key: string) {
  const statuses = new Set<number>();
  let stopping = false;
  const send = async (): Promise<number> => {
    const response = await requestEmbeddings(address, key, 'the same text each time');
    await response.arrayBuffer();
    return response.status;
  };
  const running = (async () => {
    while (!stopping) statuses.add(await send());
  })();
  return {
    async stop() {
      stopping = true;
      await running;
      return { statuses, afterwards: await send() };
    },
  };
}
