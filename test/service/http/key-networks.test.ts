import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Scope } from '../../../src/keys/rights.ts';
import { listeningApp } from '../../helpers/app.ts';
import type { Json } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const app = untilEnd(
  await listeningApp({ environment: { TRUSTED_PROXIES: '127.0.0.1', KEY_PREFIX: 'acme' } }),
);
const { orgId, services } = app;
const path = `/v1/organizations/${orgId}/keys`;
const input = 'a text that is in the cache';
const invalid = { error: 'invalid_api_key', message: 'Invalid API key' };

/** Sends a request as the proxy does. `from`: the header in which it says where the request came from. */
async function send(secret: string, from: string, [method, url]: [string, string], body?: object) {
  const response = await fetch(app.address + url, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      'x-request-id': `from-${from.replaceAll(/[^\d]/g, '-')}`,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

describe('a key with networks', async () => {
  const owner = await new Browser(app.address).signIn(app.administrator);
  const create = (networks: readonly string[] | null, more: object = {}) =>
    owner.ask<Json>(201, 'POST', path, { name: 'less', networks, ...more });
  const embed = (secret: string, from: string) => send(secret, from, ['POST', '/v1/embeddings'], { input });
  const statuses = async (secret: string, ...from: string[]) => {
    const all: number[] = [];
    for (const one of from) all.push((await embed(secret, one)).status);
    return all;
  };

  it('is used from there, whatever form the proxy gives the address, and gets 401 from elsewhere', async () => {
    const { key } = await create(['203.0.113.0/24', '198.51.100.7', '2001:DB8::/32']);
    const inside = [
      '203.0.113.9',
      '203.0.113.9:4711',
      '::ffff:203.0.113.9',
      '::ffff:cb00:7109',
      '198.51.100.7',
    ];
    const outside = ['203.0.112.9', '198.51.100.8', '2001:db9::1', '::ffff:c0a8:1', '::1', '127.0.0.1'];
    assert.deepEqual(
      await statuses(key, ...inside, '2001:db8:1::7', '[2001:db8::7]:443'),
      Array(7).fill(200),
    );
    assert.deepEqual(await statuses(key, ...outside), Array(6).fill(401));
    // What stands before the proxy's own entry is what the client has sent.
    assert.deepEqual(await statuses(key, '203.0.113.9, 192.0.2.1', '192.0.2.1, 203.0.113.9'), [401, 200]);
  });

  it('learns nothing from elsewhere, uses no quota, and leaves the reason in the request log', async () => {
    const { key, key_id } = await create(['203.0.113.0/24']);
    const inside = await embed(key, '203.0.113.1');
    const quota = async () => (await owner.ask<Json>(200, 'GET', `/v1/organizations/${orgId}`)).quota;
    const before = await quota();
    assert.ok(inside.headers.has('x-ratelimit-remaining'));
    for (const route of [
      ['POST', '/v1/embeddings'],
      ['GET', '/v1/nothing'],
      ['GET', '/v1/models'],
    ] as const) {
      const refused = await send(key, '192.0.2.55', [...route], route[0] === 'POST' ? { input } : undefined);
      if (route[1] !== '/v1/nothing') assert.deepEqual([refused.status, refused.body], [401, invalid]);
      assert.equal(refused.headers.has('x-ratelimit-remaining'), false, route[1]);
    }
    assert.deepEqual(await quota(), before);
    await services.recorder.flush();
    const { data } = await owner.ask<Json>(
      200,
      'GET',
      `/v1/organizations/${orgId}/requests?key_id=${key_id}&outcome=refused`,
    );
    assert.deepEqual(
      data.map(({ status, param, error }: Json) => [status, param, error]),
      [[401, 'network', 'invalid_api_key']],
    );
  });

  it('holds to a change from the next request on; null is everywhere, and an empty list nowhere', async () => {
    const { key, key_id } = await create(null);
    const change = (networks: unknown, status = 200) =>
      owner.ask<Json>(status, 'PATCH', `${path}/${key_id}`, { networks });
    assert.deepEqual(await statuses(key, '192.0.2.1'), [200]);
    assert.deepEqual((await change([' 10.0.0.0/8', '10.0.0.0/8'])).networks, ['10.0.0.0/8']);
    assert.deepEqual(await statuses(key, '192.0.2.1', '10.9.9.9'), [401, 200]);
    assert.deepEqual((await change(['::/0'])).networks, ['::/0']);
    assert.deepEqual(await statuses(key, '10.9.9.9', '::ffff:10.9.9.9', '2001:db8::1'), [401, 401, 200]);
    await change([]);
    assert.deepEqual(await statuses(key, '192.0.2.1', '2001:db8::1'), [401, 401]);
    await change(null);
    assert.deepEqual(await statuses(key, '192.0.2.1'), [200]);
    for (const wrong of [
      ...[
        ['office'],
        ['10.0.0.0/33'],
        ['::/129'],
        ['10.0.0'],
        ['10.0.0.0/'],
        ['::ffff:10.0.0.0/104'],
        ['fe80::1%eth0'],
      ],
      ...[Array.from({ length: 33 }, (_, i) => `10.0.0.${i}`), '10.0.0.0/8'],
    ])
      assert.match((await change(wrong, 400)).message, /^networks/);
  });

  it('gives its networks to its successor, and says so before it says that the organization is suspended', async () => {
    const made = await services.organizations.create({ name: 'Elsewhere' });
    const given = { orgId: made.orgId, userId: null, name: 'k', networks: ['203.0.113.0/24'] };
    const { key, secret } = await services.keys.create(given);
    const at = `/v1/organizations/${made.orgId}/keys/${key.keyId}/rotate`;
    const { status, body } = await send(secret, '203.0.113.4', ['POST', at], {});
    assert.equal(status, 201);
    assert.deepEqual(await statuses(body.key, '203.0.113.4', '192.0.2.1'), [200, 401]);
    await owner.ask(200, 'PATCH', `/v1/organizations/${made.orgId}`, { suspended: 'Unpaid.' });
    assert.deepEqual(await statuses(body.key, '203.0.113.4', '192.0.2.1'), [403, 401]);
  });

  it('of the installation makes and changes only keys of the installation that are used from its own networks', async () => {
    const scopes: Scope[] = ['read', 'manage:keys'];
    const networks = ['203.0.113.0/24', '2001:db8::/32'];
    const { key, secret } = await services.keys.create({
      orgId: null,
      userId: null,
      name: 'm',
      scopes,
      networks,
    });
    const from = (route: [string, string], body: object) => send(secret, '203.0.113.1', route, body);
    const make = async (more: object) =>
      (await from(['POST', '/v1/keys'], { name: 'n', scopes: ['read'], ...more })).status;
    assert.equal(await make({ networks: ['203.0.113.128/25', '2001:db8:1::7'] }), 201);
    for (const wider of [undefined, null, ['203.0.112.0/23'], ['203.0.113.1', '::/0'], ['2001:db9::1']])
      assert.equal(await make({ networks: wider }), 403, JSON.stringify(wider));
    assert.equal((await from(['PATCH', `/v1/keys/${key.keyId}`], { networks: null })).status, 403);
    assert.equal((await from(['POST', path], { name: 'of a customer' })).status, 201);
    assert.equal((await send(secret, '192.0.2.1', ['GET', '/v1/organizations'])).status, 401);
  });
});

describe('the secret of a key', async () => {
  const embed = async (headers: Record<string, string>, url = '/v1/embeddings', body: object = { input }) =>
    (
      await fetch(app.address + url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    ).status;
  const bearer = (secret: string) => embed({ authorization: `Bearer ${secret}` });

  it('has KEY_PREFIX and a checksum, and a secret with another one is refused without a look-up', async (t) => {
    const owner = await new Browser(app.address).signIn(app.administrator);
    const { key, key_id } = await owner.ask<Json>(201, 'POST', path, { name: 'own' });
    assert.match(key, /^acme_[0-9a-f]{64}[0-9A-Za-z]{6}$/);
    const { hint } = await owner.ask<Json>(200, 'GET', `${path}/${key_id}`);
    assert.equal(hint, `acme_…${key.slice(-4)}`);
    assert.equal(await bearer(key), 200);
    const lookUps = t.mock.method(services.stores.keys, 'findByDigest').mock;
    const mistyped = key.replace(/_(.)/, (_: string, digit: string) => `_${digit === '0' ? 1 : 0}`);
    for (const wrong of [
      mistyped,
      key.replace('acme', 'acne'),
      key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A'),
    ])
      assert.equal(await bearer(wrong), 401);
    assert.equal(lookUps.callCount(), 0);
    assert.equal(await bearer(`${mistyped.slice(0, -1)}`), 401);
    assert.equal(lookUps.callCount(), 1);
  });

  it('can be one of another system, and one from before KEY_PREFIX was set', async () => {
    const owner = await new Browser(app.address).signIn(app.administrator);
    const brought = [
      'sk-1234567890abcdef',
      'eyJhbGciOi.J9+/=~!#',
      `sk-proj-${'x'.repeat(248)}`,
      `sk_${'a1'.repeat(32)}`,
    ];
    for (const [i, secret] of brought.entries()) {
      const secret_sha256 = createHash('sha256').update(secret).digest('hex');
      const body = { name: 'brought', secret_sha256 };
      for (const _ of ['first', 'again']) await owner.ask(200, 'PUT', `${path}/external/${i}`, body);
      assert.equal(await bearer(secret), 200, secret);
      assert.equal(await bearer(`${secret.slice(0, -1)}_`), 401);
      const authorization = `bearer ${secret}`;
      assert.equal(await embed({ 'api-key': secret }), 200);
      assert.equal(await embed({ authorization }, '/openai/v1/embeddings'), 200);
      assert.equal(await embed({ authorization }, '/api/embed', { model: 'all-MiniLM-L6-v2', input }), 200);
      assert.equal(await embed({ authorization }, '/embed', { inputs: input }), 200);
      const cohere = { model: 'all-MiniLM-L6-v2', texts: [input], input_type: 'search_query' };
      assert.equal(
        await embed({ authorization }, '/cohere/v2/embed', { ...cohere, embedding_types: ['float'] }),
        200,
      );
      assert.equal(
        await embed({ authorization }, '/voyage/v1/embeddings', { model: 'all-MiniLM-L6-v2', input }),
        200,
      );
    }
    for (const secret of ['short', 'x'.repeat(257), 'with a space in the middle']) {
      const secret_sha256 = createHash('sha256').update(secret).digest('hex');
      await owner.ask(200, 'PUT', `${path}/external/${secret.slice(0, 5)}`, { name: 'x', secret_sha256 });
      assert.equal(await bearer(secret), 401, secret);
    }
  });
});
