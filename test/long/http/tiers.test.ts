import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { refused } from '../../helpers/outcomes.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Organization = { org_id: string; tier: string; quota: { limit: number | null; window: string } };

describe('tiers of a settings file', async () => {
  const directory = untilEnd(temporaryDirectory());
  const file = join(directory.path, 'embedgate.yaml');
  const configure = (text: string): void => writeFileSync(file, text);

  it('decide what an organization may use', async () => {
    configure(
      'tiers: [{name: trial, limit: 2, price: $0}, {name: own, limit: unlimited, custom_limits: true}]',
    );
    const environment = { DATA_DIR: join(directory.path, 'data'), EMBEDGATE_CONFIG: file };
    await using service = await startService({ environment });
    assert.match(service.stdout(), /Limit +2 requests a month \(tier trial\)/);
    assert.match(service.stdout(), new RegExp(`orgs set-tier --org-id ${service.orgId} --tier own`));
    const embed = async (text: string) =>
      (await requestEmbeddings(service.address, service.key, text)).status;
    assert.deepEqual([await embed('one'), await embed('two'), await embed('three')], [200, 200, 429]);

    const headers = { authorization: `Bearer ${service.key}` };
    const listed = await fetch(`${service.address}/v1/tiers`, { headers });
    assert.deepEqual(((await listed.json()) as { data: object[] }).data, [
      {
        name: 'trial',
        limit: 2,
        unit: 'requests',
        price: '$0',
        custom_limits: false,
        weight: 1,
        limits: [],
        thresholds: [],
        is_default: true,
      },
      {
        name: 'own',
        limit: null,
        unit: 'requests',
        price: null,
        custom_limits: true,
        weight: 1,
        limits: [],
        thresholds: [],
        is_default: false,
      },
    ]);

    const setTier = (...args: string[]) =>
      embedgateJson<Organization>(
        ['orgs', 'set-tier', '--org-id', service.orgId, ...args],
        service.environment,
      );
    assert.equal((await setTier('--tier', 'own')).quota.limit, null);
    assert.equal(await embed('three'), 200);
    const limited = await setTier('--tier', 'own', '--limit', '3', '--window', 'month');
    assert.deepEqual([limited.quota.limit, limited.quota.window], [3, 'month']);
    assert.equal(await embed('four'), 429);
    const unknown = ['orgs', 'set-tier', '--org-id', service.orgId, '--tier', 'pro'];
    const { code, stderr } = await runCommand(unknown, service.environment);
    assert.equal(code, 2);
    assert.match(stderr, /argument 'pro' is invalid. Allowed choices are trial, own\./);
    const created = await embedgateJson<Organization>(
      ['orgs', 'create', '--name', 'New'],
      service.environment,
    );
    assert.equal(created.tier, 'trial');
    await service.stop();

    configure('tiers: [{name: trial, limit: 5, limits: [{window: day, amount: 7}]}]');
    assert.match(
      refused(await runCommand(['serve'], service.environment)),
      /EMBEDGATE_CONFIG: the tier "own" is not configured, but organizations have it/,
    );
    await setTier('--tier', 'trial');
    await using again = await startService({ environment: service.environment });
    const answer = await requestEmbeddings(again.address, service.key, 'five');
    assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-limit')], [200, '5']);
    const own = await fetch(`${again.address}/v1/organizations/${service.orgId}/limits`, { headers });
    const { data } = (await own.json()) as { data: { amount: number; used: number; set_by: string }[] };
    assert.deepEqual(
      data.map(({ amount, used, set_by }) => [amount, used, set_by]),
      [[7, 1, 'tier']],
    );
  });
});
