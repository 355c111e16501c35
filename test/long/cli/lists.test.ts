import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { openCore } from '../../../src/service/core.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type List = { object: string; data: { name: string }[] };

/** More than a page. */
const made = 105;

describe('the commands that list rows', async () => {
  const directory = untilEnd(temporaryDirectory());
  const environment = { DATA_DIR: directory.path };
  let orgId: string;
  const core = await openCore(readConfig(environment), systemClock);
  const { organizations, keys } = core;
  for (let i = 0; i < made; i += 1) {
    const number = String(i).padStart(3, '0');
    const organization = await organizations.create({ name: `organization ${number}` });
    orgId ??= organization.orgId;
    await keys.create({ orgId, userId: 'ada', name: `key ${number}` });
  }
  await core.close();

  it('print everything, page by page', async () => {
    const list = await embedgateJson<List>(['orgs', 'list'], environment);
    assert.deepEqual(Object.keys(list), ['object', 'data']);
    assert.equal(new Set(list.data.map(({ name }) => name)).size, made);
    assert.equal(list.data[0]?.name, 'organization 000');
    const { data } = await embedgateJson<List>(['keys', 'list', '--org-id', orgId], environment);
    assert.deepEqual([data.length, data[0]?.name], [made, 'key 104']);
  });

  it('print no escape sequence of a name that an older version stored, and cut long names', async () => {
    using database = secondConnection(directory.path);
    const name = `\u001b[2J\u009b2J\u202e${'x'.repeat(100_000)}`;
    database.prepare('UPDATE organizations SET name = ? WHERE org_id = ?').run(name, orgId);
    assert.match(
      done(await runCommand(['orgs', 'list'], environment)),
      /\uFFFD\[2J\uFFFD2J\uFFFDx{10,200}… +free/,
    );
    const printed = done(await runCommand(['orgs', 'list', '--json'], environment));
    assert.doesNotMatch(printed, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
    assert.equal((JSON.parse(printed) as List).data[0]?.name, name);
  });
});

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
    done(await runCommand(['migrate'], environment));
    const result = await runCommand(['orgs', 'list'], environment);
    assert.equal(done(result), '');
    assert.equal(result.stderr, 'No organizations yet.\n');
    assert.deepEqual(await embedgateJson(['orgs', 'list'], environment), { object: 'list', data: [] });
  });

  it('create prints what the API would return', async () => {
    const { quota, ...organization } = await create();
    assert.deepEqual(Object.keys(organization), ['org_id', 'name', 'tier', 'created_at']);
    assert.deepEqual([organization.name, organization.tier], ['Acme', 'free']);
    const { resets_at, ...standing } = quota;
    assert.deepEqual(standing, {
      limit: 10_000,
      used: 0,
      remaining: 10_000,
      unit: 'requests',
      window: 'month',
    });
    assert.match(resets_at, /-01T00:00:00\.000Z$/);
    const text = done(await runCommand(['orgs', 'create', '--name', 'Human', '--tier', 'pro'], environment));
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
    const text = done(await runCommand(['orgs', 'list'], environment));
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
    assert.match(done(await runCommand([...setTier, 'scale'], environment)), /^Limit +1000000 per month$/m);
    assert.match(refused(await runCommand([...setTier, 'pro', '--limit', '7'], environment)), /enterprise/);
    const unknown = ['orgs', 'set-tier', '--org-id', 'org_0', '--tier', 'pro'];
    assert.equal(
      refused(await runCommand(unknown, environment)),
      'No organization org_0: see "embedgate orgs list"',
    );
  });

  it('invalid values are wrong usage', async () => {
    const wrong = [
      ['--tier', 'gold'],
      ['--tier', 'enterprise', '--limit', 'ten'],
      ['--tier', 'enterprise', '--limit', '10', '--window', 'week'],
      ['--tier', 'enterprise', '--window', 'day'],
    ];
    const results = await Promise.all(
      wrong.map((more) => runCommand(['orgs', 'create', '--name', 'Acme', ...more], environment)),
    );
    const faults = results.map(wrongUsage);
    assert.match(faults[0] ?? '', /--tier.*free, pro, scale, enterprise/);
    assert.match(faults[1] ?? '', /--limit.*whole number/);
    assert.match(faults[2] ?? '', /--window.*second, minute, hour, day, month/);
    assert.match(faults[3] ?? '', /--window.*needs.*--limit/);
  });
});
