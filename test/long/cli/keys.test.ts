import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate, embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Created = Record<'key_id' | 'org_id' | 'user_id' | 'name' | 'status' | 'key' | 'expires_at', string>;
type Listed = { object: string; data: Record<string, string | string[] | null>[] };

const secretPattern = /sk_[0-9a-f]{64}/g;
const dayMs = 86_400_000;

describe('the keys commands', async () => {
  const directory = untilEnd(temporaryDirectory());
  const environment = { DATA_DIR: directory.path };

  const creation = (name: string, ...more: string[]) => [
    ...['create', '--user-id', 'ada', '--org-id', orgId, '--name', name],
    ...more,
  ];
  const list = () => embedgateJson<Listed>(['keys', 'list', '--org-id', orgId], environment);
  const listed = async (keyId: string) => (await list()).data.find(({ key_id }) => key_id === keyId);

  const args = ['orgs', 'create', '--name', 'Acme'];
  const orgId = (await embedgateJson<{ org_id: string }>(args, environment)).org_id;

  it('create --json prints exactly the seven fields, and so does the alias', async () => {
    for (const args of [['keys', ...creation('ci')], creation('ci')]) {
      const { stdout, stderr } = await runCommand([...args, '--json'], environment);
      const created = JSON.parse(stdout) as Created;
      const fields = ['key_id', 'org_id', 'user_id', 'name', 'status', 'key', 'expires_at'];
      assert.deepEqual(Object.keys(created), fields);
      const { key_id, key, expires_at, ...rest } = created;
      assert.deepEqual(rest, { org_id: orgId, user_id: 'ada', name: 'ci', status: 'active' });
      assert.match(key_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/);
      assert.match(key, /^sk_[0-9a-f]{64}$/);
      assert.equal(stderr, '');
      const { created_at } = (await listed(key_id)) ?? {};
      const lifetimeMs = Date.parse(expires_at) - Date.parse(String(created_at));
      assert.equal(Math.round(lifetimeMs / dayMs), 365);
    }
  });

  it('create prints the secret once on stdout, and says so on stderr', async () => {
    const result = await runCommand(['keys', ...creation('laptop', '--expires-in', '90d')], environment);
    assert.equal(done(result).match(secretPattern)?.length, 1);
    assert.match(result.stdout, /^Name +laptop$/m);
    assert.match(result.stdout, /^Expires +\d{4}-\d\d-\d\dT\d\d:\d\dZ$/m);
    assert.match(result.stderr, /shown only once/);
    assert.doesNotMatch(result.stderr, secretPattern);
  });

  it('create limits a key to scopes, models and networks, also to managing keys, and list shows a paused one', async () => {
    const rights = ['--scope', 'read', '--scope', 'embed', '--model', 'a', '--model', 'b'];
    const networks = ['--network', '10.0.0.0/8,2001:db8::/32', '--network', '203.0.113.7'];
    const { key_id } = await embedgateJson<Created>(
      ['keys', ...creation('less', ...rights, ...networks)],
      environment,
    );
    const less = await listed(key_id);
    assert.deepEqual(
      [less?.scopes, less?.models, less?.networks],
      [
        ['embed', 'read'],
        ['a', 'b'],
        ['10.0.0.0/8', '2001:db8::/32', '203.0.113.7'],
      ],
    );
    refused(await runCommand(['keys', ...creation('nowhere', '--network', '10.0.0.0/33')], environment));
    const managing = ['--scope', 'manage:keys'];
    await embedgateJson(['keys', ...creation('manager', ...managing)], environment);
    refused(
      await runCommand(['keys', ...creation('forever', ...managing, '--expires-in', 'never')], environment),
    );
    wrongUsage(await runCommand(['keys', ...creation('misspelled', '--scope', 'embeds')], environment));
    const change = ['api', 'PATCH', `/v1/organizations/${orgId}/keys/${key_id}`, '{"enabled": false}'];
    await embedgateJson(['users', 'create', '--email', 'root@example.com', '--admin'], environment);
    done(await runCommand(change, environment));
    assert.match(
      done(await runCommand(['keys', 'list', '--org-id', orgId], environment)),
      / less +ada +paused /,
    );
  });

  it('create brings a key of another system along, which find finds by the key itself', async () => {
    const secret = 'sk-proj-of_another.system/4711';
    const digest = createHash('sha256').update(secret).digest('hex');
    const bring = ['keys', ...creation('brought', '--secret-sha256', digest)];
    const brought = await runCommand(bring, environment);
    assert.match(done(brought), /^API key +only you have it$/m);
    assert.equal(brought.stderr, '');
    refused(await runCommand(bring, environment));
    wrongUsage(await runCommand(['keys', ...creation('x', '--secret-sha256', secret)], environment));
    const found = await embedgate(['keys', 'find'], environment, undefined, `leaked: ${secret}\n`);
    assert.match(done(found), / brought +ada +active /);
  });

  it('KEY_PREFIX gives new keys a prefix and a checksum, and old ones are found by key and hint', async () => {
    const own = { ...environment, KEY_PREFIX: 'acme_embed' };
    const { key } = await embedgateJson<Created>(['keys', ...creation('own')], own);
    assert.match(key, /^acme_embed_[0-9a-f]{64}[0-9A-Za-z]{6}$/);
    const hint = `acme_embed_…${key.slice(-4)}`;
    for (const find of [['--hint', hint], ['--hint', key.slice(-4)], []])
      assert.ok(done(await embedgate(['keys', 'find', ...find], own, undefined, `x"${key}"`)).includes(hint));
    const { stdout, stderr } = await runCommand(['keys', 'revoke', '--key-id', key], own);
    assert.ok(!(stdout + stderr).includes(key.slice(0, 40)));
  });

  it('list shows every key, newest first, with the API’s field names and no secret', async () => {
    const { key_id } = await embedgateJson<Created>(['keys', ...creation('newest')], environment);
    const { object, data } = await list();
    assert.equal(object, 'list');
    assert.equal(data[0]?.key_id, key_id);
    assert.deepEqual(Object.keys(data[0] ?? {}), [
      ...['key_id', 'org_id', 'user_id', 'external_id', 'user_name', 'name', 'default_model', 'status'],
      ...['enabled', 'scopes', 'models', 'networks', 'hint'],
      ...['created_at', 'last_used_at', 'expires_at', 'revoked_at', 'rotated_from'],
    ]);
    const text = done(await runCommand(['keys', 'list', '--org-id', orgId], environment));
    assert.match(text, /^KEY ID +NAME +USER +STATUS +KEY +MODEL +CREATED +LAST USED +EXPIRES\n/);
    assert.equal(text.trimEnd().split('\n').length, data.length + 1);
    assert.doesNotMatch(text + JSON.stringify(data), secretPattern);
  });

  it('revoke is final, can be repeated, and has an alias', async () => {
    const { key_id } = await embedgateJson<Created>(['keys', ...creation('leaked')], environment);
    const revocation = ['revoke', '--key-id', key_id];
    assert.equal(done(await runCommand(['keys', ...revocation], environment)), `Revoked ${key_id}.\n`);
    const { revoked_at } = (await listed(key_id)) ?? {};
    assert.deepEqual(await embedgateJson(revocation, environment), {
      key_id,
      status: 'revoked',
      also_revoked: [],
    });
    const found = await listed(key_id);
    assert.deepEqual([found?.status, found?.revoked_at], ['revoked', revoked_at]);
  });

  it('unknown keys, unknown organizations and invalid names are refused with the reason', async () => {
    const results = await Promise.all(
      [
        ['revoke', '--key-id', 'key_0'],
        ['keys', 'list', '--org-id', 'org_0'],
        ['create', '--user-id', 'ada', '--org-id', 'org_0', '--name', 'x'],
        creation('two\nlines'),
      ].map((args) => runCommand(args, environment)),
    );
    assert.deepEqual(results.map(refused), [
      'No key key_0',
      'No organization org_0: see "embedgate orgs list"',
      'No organization org_0: see "embedgate orgs list"',
      'name must have 1 to 200 characters, none of them invisible',
    ]);
  });
});
