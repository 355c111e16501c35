import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done } from '../../helpers/outcomes.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Created = { key_id: string; key: string };
type Figures = Record<'counted' | 'cached' | 'failed' | 'texts' | 'tokens', number>;
type Usage = {
  org_id: string;
  month: string;
  quota: { limit: number; used: number; remaining: number } | null;
  totals: Figures;
  keys: (Figures & { key_id: string; name: string })[];
};

describe('a running server after a change by the command line', async () => {
  const service = untilEnd(await startService());

  const run = <R>(...args: string[]) => embedgateJson<R>(args, service.environment);
  const createKey = (name: string, orgId = service.orgId) =>
    run<Created>('keys', 'create', '--user-id', 'ada', '--org-id', orgId, '--name', name);

  it('a created key is accepted, and refused from the first request after its revocation', async () => {
    const { key_id, key } = await createKey('short-lived');
    assert.equal(await statusWith(service.address, key), 200);
    await run('revoke', '--key-id', key_id);
    assert.equal(await statusWith(service.address, key), 401);
    assert.equal(await statusWith(service.address, service.key), 200);
  });

  it('a new tier applies from the next request on', async () => {
    const { org_id } = await run<{ org_id: string }>('orgs', 'create', '--name', 'Climbing');
    const { key } = await createKey('climber', org_id);
    const embedded = await requestEmbeddings(service.address, key, 'one');
    assert.deepEqual([embedded.status, limitOf(embedded)], [200, '10000']);

    await run('orgs', 'set-tier', '--org-id', org_id, '--tier', 'enterprise', '--limit', '1');
    const refused = await requestEmbeddings(service.address, key, 'two');
    assert.deepEqual([refused.status, limitOf(refused)], [429, '1']);

    await run('orgs', 'set-tier', '--org-id', org_id, '--tier', 'pro');
    const admitted = await requestEmbeddings(service.address, key, 'two');
    assert.deepEqual([admitted.status, limitOf(admitted)], [200, '100000']);
    assert.equal(admitted.headers.get('x-ratelimit-remaining'), '99998');
  });

  it('usage agrees with the headers, by key and in total', async () => {
    const { org_id } = await run<{ org_id: string }>('orgs', 'create', '--name', 'Counting');
    const [a, b] = [await createKey('a', org_id), await createKey('b', org_id)];
    await requestEmbeddings(service.address, a.key, ['one', 'two']);
    await requestEmbeddings(service.address, a.key, ['one', 'two']);
    const last = await requestEmbeddings(service.address, b.key, 'three');
    // The server writes the figures that need no durability before it responds to this.
    await statusWith(service.address, a.key);

    const usage = await run<Usage>('usage', '--org-id', org_id);
    assert.match(usage.month, /^\d{4}-\d\d$/);
    assert.equal(String(usage.quota?.remaining), last.headers.get('x-ratelimit-remaining'));
    assert.deepEqual([usage.quota?.limit, usage.quota?.used, usage.totals.counted], [10_000, 2, 2]);
    const figures = usage.keys.map(({ name, counted, cached, texts }) => ({ name, counted, cached, texts }));
    assert.deepEqual(
      figures.toSorted((x, y) => (x.name < y.name ? -1 : 1)),
      [
        { name: 'a', counted: 1, cached: 1, texts: 4 },
        { name: 'b', counted: 1, cached: 0, texts: 1 },
      ],
    );

    const text = done(await runCommand(['usage', '--org-id', org_id], service.environment));
    assert.match(text, /^Organization +Counting, [0-9a-f-]{36}\n/);
    assert.match(text, /^Remaining +9998$/m);
    assert.match(text, /^Total +2 +1 +0 +5 +\d+ +0$/m);
  });

  it('usage of another month has no current standing', async () => {
    const usage = await run<Usage>('usage', '--org-id', service.orgId, '--month', '2024-02');
    assert.deepEqual([usage.month, usage.quota, usage.keys], ['2024-02', null, []]);
    const args = ['usage', '--org-id', service.orgId, '--month', '2024-02'];
    const text = done(await runCommand(args, service.environment));
    assert.match(text, /^Month +2024-02$/m);
    assert.doesNotMatch(text, /Remaining/);
  });
});

function limitOf(response: Response): string | null {
  return response.headers.get('x-ratelimit-limit');
}
