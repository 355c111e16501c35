import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { installationScopes } from '../../../src/keys/rights.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { runCommand } from '../../helpers/embedgate.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const directory = untilEnd(temporaryDirectory());
const file = join(directory.path, 'state.yaml');
const secrets = {
  CHAT: 'https://hooks.slack.com/services/T0/B0/operations',
  HOOK: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
const apps = [untilEnd(await listeningApp()), untilEnd(await listeningApp())] as const;
const { services } = apps[0];
const environments = await Promise.all(
  apps.map(async ({ services, address }) => {
    const scopes = installationScopes;
    const { secret } = await services.keys.create({ orgId: null, userId: null, name: 'files', scopes });
    return { ...secrets, EMBEDGATE_URL: address, EMBEDGATE_KEY: secret };
  }),
);
const [one, other] = environments as [(typeof environments)[0], (typeof environments)[0]];

/** Runs a command and returns its lines. */
async function run(environment: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand(args, environment);
  return { code, lines: stdout.split('\n').filter((line) => line !== ''), stderr };
}

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${one.EMBEDGATE_URL}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${one.EMBEDGATE_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return text && JSON.parse(text);
}
const pathOf = async (externalId: string) => {
  const { data } = await send('GET', `/organizations?external_id=${externalId}`);
  return `/organizations/${data[0].org_id}`;
};

const team = (i: number) => `
  - external_id: team-${i}
    name: Team ${i}
    tier: ${i === 0 ? 'enterprise\n    limit: 5000\n    window: day' : 'pro'}
    alerts: { thresholds: [], limit_thresholds: [90] }
    limits:
      - { unit: tokens, window: minute, amount: ${1_000 + i} }
      - { applies_to: new_keys, unit: requests, window: second, amount: 10, max_wait_seconds: 5 }
    channels:
      - { kind: webhook, address: 'https://example.com/${i}', secret_env: HOOK }
      - { kind: webhook, name: Chat, address_env: CHAT }
    members:
      - { email: Lead-${i}@example.com, role: owner }`;
const teams = Array.from({ length: 40 }, (_, i) => team(i)).join('');
const text = `channels:\n  - { kind: slack, address_env: CHAT }\norganizations:${teams}\n`;

/** Writes the file and applies it to the first service. */
async function applied(contents: string, ...options: string[]) {
  writeFileSync(file, contents);
  return run(one, 'apply', file, ...options);
}

describe('embedgate apply and export', () => {
  test('make 40 teams from a file, and nothing again', async () => {
    const plan = await applied(text, '--plan');
    assert.deepEqual([plan.code, plan.lines.length], [3, 1 + 40 * 7], plan.stderr);
    const first = await applied(text);
    assert.equal(first.code, 0, first.stderr);
    const withoutLinks = (lines: string[]) => lines.map((line) => line.replace(/ http\S+#\S+$/, '')).sort();
    assert.deepEqual(withoutLinks(first.lines), withoutLinks(plan.lines));
    for (const options of [['--plan'], [], ['--prune']]) {
      const again = await applied(text, ...options);
      assert.deepEqual([again.code, again.lines], [0, []], again.stderr);
      assert.match(again.stderr, /^0 changes.*\nNot in the file: 1 organization\n$/);
    }
  });

  test('show a rename and a drift as one line each, and change both in place', async () => {
    const path = await pathOf('team-1');
    await send('POST', `${path}/limits`, { unit: 'tokens', window: 'minute', amount: 5 });
    const renamed = text.replace('name: Team 2\n', 'name: Research\n');
    const expected = [
      '~ team-1: limit tokens minute, amount 5 → 1001',
      '~ team-2: organization, name "Team 2" → "Research"',
    ];
    const research = await pathOf('team-2');
    for (const [code, ...options] of [[3, '--plan'], [0]] as const) {
      const { lines, ...rest } = await applied(renamed, ...options);
      assert.deepEqual([rest.code, lines.sort()], [code, expected], rest.stderr);
    }
    assert.equal((await send('GET', research)).name, 'Research');
    assert.deepEqual((await applied(text)).lines, ['~ team-2: organization, name "Research" → "Team 2"']);
  });

  test('take the limit of the tier for no custom one, and leave a suspension that no file has', async () => {
    const { data } = await send('GET', '/tiers');
    const { limit } = data.find(({ name }: { name: string }) => name === 'pro');
    const same = `organizations: [{external_id: usual, name: U, tier: pro, limit: ${limit}}]`;
    assert.deepEqual((await applied(same)).lines, ['+ usual: organization, name "U", tier "pro"']);
    assert.deepEqual((await applied(same)).lines, []);
    const suspended = same.replace('name: U', "name: U, suspended: 'Overdue.'");
    assert.deepEqual((await applied(suspended)).lines, [
      '~ usual: organization, suspended null → "Overdue."',
    ]);
    assert.deepEqual((await applied(same)).lines, []);
    const loose = same.replace('name: U', "name: ' U ', alerts: {thresholds: [90, 50, 50]}");
    assert.equal((await applied(loose)).lines.length, 1);
    assert.deepEqual((await applied(loose)).lines, []);
  });

  test('leave and count what the file lacks, and with --prune delete limits and channels', async () => {
    const path = await pathOf('team-3');
    const added = await services.users.create({ email: 'by-hand@example.com' });
    const mapped = await services.users.create({ email: 'mapped@example.com' });
    const orgId = path.split('/').at(-1)!;
    await services.members.add(orgId, added.user.userId, 'viewer');
    await services.members.setMapped(mapped.user.userId, new Map([[orgId, 'viewer']]));
    await send('POST', `${path}/limits`, { unit: 'texts', window: 'day', amount: 5 });
    await send('POST', `${path}/alerts/targets`, { kind: 'webhook', address: 'https://example.com/more' });
    const { lines, stderr } = await applied(text);
    assert.deepEqual(lines, []);
    assert.match(stderr, /^Not in the file: 2 organizations, 1 limit, 1 channel, 1 member$/m);
    const pruned = await applied(text, '--prune', '--json');
    const { data, not_in_file } = JSON.parse(pruned.lines.join('\n'));
    assert.deepEqual(
      [data.map((change: object) => Object.values(change).slice(0, 3)), not_in_file],
      [
        [
          ['delete', 'team-3', 'limit texts day'],
          ['delete', 'team-3', 'channel webhook https://example.com'],
        ],
        { organization: 2, member: 1 },
      ],
    );
    // Lists that a file doesn't state, and what an organization's people have set, stay.
    const own = { orgId, kind: 'webhook', address: 'https://example.com/own' } as const;
    await services.alerting.channelSetup.create({ ...own, createdBy: added.user.userId });
    assert.deepEqual((await applied(text, '--prune')).lines, []);
    const bare = await applied('organizations: [{external_id: team-3, name: Team 3}]', '--prune', '--plan');
    assert.doesNotMatch(bare.lines.join(), /^-/m);
    const role = text.replace(
      '{ email: Lead-3@',
      '{ email: by-hand@example.com, role: admin }\n      - { email: Lead-3@',
    );
    assert.deepEqual((await applied(role)).lines, [
      '~ team-3: member by-hand@example.com, role "viewer" → "admin"',
    ]);
    assert.equal(await services.members.role(orgId, added.user.userId), 'admin');
  });

  test('export a file without secrets, which makes the same on another service', async () => {
    const first = await run(one, 'export');
    assert.match(first.stderr, /^Left out, because it has no external id: Default \([-0-9a-f]{36}\)\n$/);
    const exported = first.lines.join('\n');
    assert.doesNotMatch(exported, /services\/T0|whsec_|mapped@/);
    const { CHAT: _, ...withoutChat } = one;
    const named = await run(withoutChat, 'export');
    const [, variable] = /^The variable (SLACK_\w{8}) stands for/m.exec(named.stderr) ?? [];
    writeFileSync(file, named.lines.join('\n'));
    const there = await run({ ...other, [variable!]: secrets.CHAT }, 'apply', file);
    assert.equal(there.code, 0, there.stderr);
    assert.equal((await run(other, 'export')).lines.join('\n'), exported);
    const json = join(directory.path, 'state.json');
    writeFileSync(json, (await run(one, 'export', '--json')).lines.join('\n'));
    assert.deepEqual((await run(other, 'apply', json, '--plan')).lines, []);
  });

  test('refuse a file with a fault before anything changes, and say where it is', async () => {
    for (const [organization, fault] of [
      ['{external_id: a, name: A, limts: []}', /organizations\[0\]\.limts is not known here/],
      ['{name: A}', /organizations\[0\] must have required properties external_id/],
      ['{external_id: a, name: A, tier: gold}', /the tier of a must be one of free, /],
      [
        '{external_id: a, name: A, members: [{email: a@b.example, role: boss}]}',
        /members\[0\]\.role must be one of viewer, /,
      ],
      [
        '{external_id: a, name: A, channels: [{kind: slack, address_env: NONE}]}',
        /the variable NONE is not set/,
      ],
      ['{external_id: a, name: A}, {external_id: " a", name: B}', /a has organization twice/],
      ['{external_id: .., name: A}', /"\.\." can't be an external_id/],
      ['{external_id: a, name: A, channels: [{kind: slack, address: none}]}', /"none" is no URL/],
    ] as const) {
      const { code, lines, stderr } = await applied(`organizations: [${organization}]`);
      assert.deepEqual([code, lines], [1, []]);
      assert.match(stderr, fault);
    }
    assert.equal((await send('GET', '/organizations?external_id=a')).data.length, 0);
  });

  test('say after a failure what is done, and finish when they run again', async () => {
    const broken = 'organizations: [{external_id: b, name: B, members: [{email: nobody, role: viewer}]}]';
    const { code, lines, stderr } = await applied(broken);
    assert.deepEqual([code, lines], [1, ['+ b: organization, name "B"']]);
    assert.match(
      stderr,
      /\+ b: member nobody, role "viewer": The server responded with 400: .*1 of 2 changes are made/,
    );
    const asJson = await applied(broken.replaceAll(/\bb\b/gi, 'c'), '--json');
    assert.equal(JSON.parse(asJson.lines.join('\n')).data.length, 1);
    const mended = await applied(broken.replace('nobody', 'somebody@example.com'));
    assert.equal(mended.code, 0);
    assert.match(
      mended.lines.join('\n'),
      /^\+ b: member somebody@example\.com, role "viewer" http\S+#token=\S+$/,
    );
  });
});
