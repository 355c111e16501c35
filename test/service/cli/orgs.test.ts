import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from './outcomes.ts';

type Organization = {
  org_id: string;
  name: string;
  tier: string;
  created_at: string;
  quota: { limit: number | null; used: number; remaining: number | null; window: string; resets_at: string };
};

describe('the orgs commands', () => {
  const directory = temporaryDirectory();
  const environment = { DATA_DIR: directory.path };
  const create = (...more: string[]) =>
    embedgateJson<Organization>(['orgs', 'create', '--name', 'Acme', ...more], environment);

  after(() => directory[Symbol.dispose]());

  it('list without organizations says so on stderr', async () => {
    done(await embedgate(['migrate'], environment));
    const result = await embedgate(['orgs', 'list'], environment);
    assert.equal(done(result), '');
    assert.equal(result.stderr, 'No organizations yet.\n');
    assert.deepEqual(await embedgateJson(['orgs', 'list'], environment), { object: 'list', data: [] });
  });

  it('create prints what the API would return', async () => {
    const { quota, ...organization } = await create();
    assert.deepEqual(Object.keys(organization), ['org_id', 'name', 'tier', 'created_at']);
    assert.deepEqual([organization.name, organization.tier], ['Acme', 'free']);
    const { resets_at, ...standing } = quota;
    assert.deepEqual(standing, { limit: 10_000, used: 0, remaining: 10_000, window: 'month' });
    assert.match(resets_at, /-01T00:00:00\.000Z$/);
    const text = done(await embedgate(['orgs', 'create', '--name', 'Human', '--tier', 'pro'], environment));
    assert.match(text, /^Name +Human\nTier +pro\nLimit +100000 per month$/m);
  });

  it('an enterprise organization is unlimited, or has a custom limit', async () => {
    const [unlimited, custom] = await Promise.all([
      create('--tier', 'enterprise'),
      create('--tier', 'enterprise', '--limit', '50', '--window', 'second'),
    ]);
    assert.deepEqual([unlimited.quota.limit, unlimited.quota.remaining], [null, null]);
    assert.deepEqual([custom.quota.limit, custom.quota.window], [50, 'second']);
  });

  it('list shows all, oldest first', async () => {
    const { data } = await embedgateJson<{ data: Organization[] }>(['orgs', 'list'], environment);
    const created = data.map(({ created_at }) => created_at);
    assert.deepEqual(created, created.toSorted());
    const text = done(await embedgate(['orgs', 'list'], environment));
    assert.match(text, /^ORG ID +NAME +TIER +LIMIT +USED +REMAINING +RESETS +CREATED\n/);
    for (const { org_id } of data) assert.ok(text.includes(org_id));
    assert.match(text, /50 per second/);
    assert.doesNotMatch(text, / $/m);
  });

  it('set-tier changes the tier and its limit', async () => {
    const { org_id } = await create();
    const setTier = ['orgs', 'set-tier', '--org-id', org_id, '--tier'];
    const daily = await embedgateJson<Organization>(
      [...setTier, 'enterprise', '--limit', '7', '--window', 'day'],
      environment,
    );
    assert.deepEqual([daily.tier, daily.quota.limit, daily.quota.window], ['enterprise', 7, 'day']);
    const monthly = await embedgateJson<Organization>(
      [...setTier, 'enterprise', '--limit', '7'],
      environment,
    );
    assert.equal(monthly.quota.window, 'month');
    assert.match(done(await embedgate([...setTier, 'scale'], environment)), /^Limit +1000000 per month$/m);
    assert.match(refused(await embedgate([...setTier, 'pro', '--limit', '7'], environment)), /enterprise/);
    const unknown = ['orgs', 'set-tier', '--org-id', 'org_0', '--tier', 'pro'];
    assert.equal(refused(await embedgate(unknown, environment)), 'No organization org_0');
  });

  it('invalid values are wrong usage', async () => {
    const wrong = [
      ['--tier', 'gold'],
      ['--tier', 'enterprise', '--limit', 'ten'],
      ['--tier', 'enterprise', '--limit', '10', '--window', 'week'],
      ['--tier', 'enterprise', '--window', 'day'],
    ];
    const results = await Promise.all(
      wrong.map((more) => embedgate(['orgs', 'create', '--name', 'Acme', ...more], environment)),
    );
    const faults = results.map(wrongUsage);
    assert.match(faults[0] ?? '', /--tier.*free, pro, scale, enterprise/);
    assert.match(faults[1] ?? '', /--limit.*whole number/);
    assert.match(faults[2] ?? '', /--window.*second, minute, hour, day, month/);
    assert.match(faults[3] ?? '', /--window.*needs.*--limit/);
  });
});
