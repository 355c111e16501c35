import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseSigningKeys } from '../../../src/keys/keyring.ts';
import { Browser } from '../../helpers/browser.ts';
import { embedgateJson } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { openPostgres, runSql, type TestPostgres } from '../../helpers/postgres.ts';
import { newOrganization, newPem, type Replicas, startReplicas } from '../../helpers/replicas.ts';
import { statusWith } from '../../helpers/requests.ts';

const custom = { amount: 100, window: 'day' } as const;

describe('two replicas that start at once on an empty database', () => {
  const client = new FastClient();
  let postgres: TestPostgres;
  let url: string;
  let replicas: Replicas;
  let here: string;
  let there: string;
  before(async () => {
    postgres = await openPostgres();
    url = await postgres.createDatabase();
    replicas = await startReplicas(url, 2);
    [here, there] = replicas.services.map(({ address }) => address) as [string, string];
  });
  after(async () => {
    client[Symbol.dispose]();
    await replicas[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const embed = async (address: string, key: string, text: string) => {
    const { status, headers, body } = await client.embed(address, key, text);
    const { cached } = JSON.parse(body) as { cached?: boolean };
    return { status, cached, limit: headers['x-ratelimit-limit'] };
  };
  const statusAt = async (address: string, key: string) => (await embed(address, key, 'the same')).status;

  test('change the signing key by hand, step by step on every replica, without a refused request', async () => {
    const { keys } = await newOrganization(replicas.core, custom, 2);
    const [older] = replicas.signingKeys();
    const newer = newPem();
    const statuses = new Set<number>();
    let isOver = false;
    const clients = [here, there].flatMap((address) =>
      keys.map(async (key) => {
        while (!isOver) statuses.add(await statusAt(address, key));
      }),
    );
    const reissued = () => embedgateJson(['signing-key', 'reissue'], replicas.environment);

    // Sooner on one replica and later on another, as when files are distributed by hand.
    replicas.writeSigningKeys(`${older}${newer}`);
    replicas.writeSigningKeys(`${newer}${older}`);
    // A service does so with the first change that it sees, and each minute.
    replicas.core.keyring.refresh();
    const tokens = (
      await runSql(url, 'SELECT count(*)::INT AS n FROM api_keys WHERE status = $1', ['active'])
    )[0]?.n;
    assert.deepEqual(await reissued(), { reissued: tokens, already_current: 0, left_invalid: 0 });
    replicas.writeSigningKeys(newer);
    const { keys: made } = await newOrganization(replicas.core, custom, 1);
    for (const address of [here, there]) assert.equal(await statusAt(address, made[0]!), 200);
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual([...statuses], [200]);
    assert.equal(parseSigningKeys(replicas.signingKeys()[1]!).length, 1);
  });

  test('refuse a key that the other replica paused, and hold to the scopes and networks that it gave', async () => {
    const { users } = replicas.core;
    const root = await users.create({ email: 'root@example.com', isAdmin: true });
    const page = await new Browser(here).signIn({ email: root.user.email, password: root.password });
    const { orgId } = await newOrganization(replicas.core, custom, 0);
    const { key, secret } = await replicas.core.keys.create({ orgId, userId: 'ada', name: 'theirs' });
    assert.equal(await statusAt(there, secret), 200);
    for (const [changes, status] of [
      [{ enabled: false }, 401],
      [{ enabled: true }, 200],
      [{ scopes: ['read'] }, 403],
      [{ scopes: ['embed'], models: [] }, 403],
      [{ models: null }, 200],
      [{ networks: ['203.0.113.0/24'] }, 401],
      [{ networks: ['127.0.0.0/8', '::1'] }, 200],
    ] as const) {
      await page.ask(200, 'PATCH', `/v1/organizations/${orgId}/keys/${key.keyId}`, changes);
      assert.equal(await statusAt(here, secret), status, JSON.stringify(changes));
      await eventually(async () => (await statusAt(there, secret)) === status);
    }
  });

  test('refuse a session that the other replica ended from the next request on', async () => {
    const { users, keys } = replicas.core;
    const administrator = await users.create({ email: 'people@example.com', isAdmin: true });
    const { user, password } = await users.create({ email: 'ada@example.com' });
    const root = await new Browser(here).signIn({ email: administrator.user.email, ...administrator });
    const signIn = () => new Browser(there).signIn({ email: user.email, password });
    const path = `/v1/users/${user.userId}`;

    const first = await signIn();
    await first.ask(200, 'GET', '/v1/me');
    assert.deepEqual(await root.ask(200, 'DELETE', `${path}/sessions`), { ended: 1 });
    await first.ask(401, 'GET', '/v1/me');

    const second = await signIn();
    await root.ask(200, 'PATCH', path, { is_admin: true });
    await second.ask(200, 'GET', '/v1/users');
    await root.ask(200, 'PATCH', path, { is_admin: false });
    await second.ask(403, 'GET', '/v1/users');

    const { orgId } = await newOrganization(replicas.core, custom, 0);
    const { secret } = await keys.create({ orgId, userId: user.userId, name: 'theirs' });
    assert.equal(await statusWith(here, secret), 200);
    await root.ask(200, 'PATCH', path, { disabled: true, revoke_keys: true });
    assert.equal(await statusWith(here, secret), 401);
    await second.ask(401, 'GET', '/v1/me');
    await assert.rejects(signIn(), /answered 403/);
  });
});
