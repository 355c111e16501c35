import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { installationScopes, type Scope } from '../../../src/keys/rights.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Json = { [name: string]: Json };

const app = untilEnd(await listeningApp());
const { keys, organizations, users } = app.services;

const programWith = async (scopes: readonly Scope[]) => {
  const { key, secret } = await keys.create({ orgId: null, userId: null, name: 'backend', scopes });
  const send = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(app.address + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text && JSON.parse(text)) as Json };
  };
  return { keyId: key.keyId, secret, send };
};
const program = await programWith(installationScopes);

const secretOf = (name: string) => `sk_${createHash('sha256').update(name).digest('hex')}`;
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const embed = (secret: string, input: string, path = '/v1/embeddings', body: object = { input }) =>
  fetch(app.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Provisions a customer as a backend does: two calls, which can be repeated. */
async function provision(id: string) {
  const organization = await program.send('PUT', `/v1/organizations/external/${id}`, {
    name: id,
    tier: 'pro',
  });
  assert.equal(organization.status, 200, JSON.stringify(organization.body));
  const secret_sha256 = digestOf(secretOf(id));
  const path = `/v1/organizations/${organization.body.org_id}/keys/external/${id}`;
  const key = await program.send('PUT', path, { name: 'server', secret_sha256, user_id: `${id}-user` });
  assert.equal(key.status, 200, JSON.stringify(key.body));
  return { organization: organization.body, key: key.body };
}

describe('a program with a key of the installation', () => {
  test('provisions a customer in two calls, which have the same result again and at the same time', async () => {
    const first = await provision('acme');
    const { quota: _, ...organization } = first.organization;
    for (const again of await Promise.all([provision('acme'), provision('acme')])) {
      assert.deepEqual(again.key, first.key);
      const { quota: _, ...same } = again.organization;
      assert.deepEqual(same, organization);
    }
    const twins = await Promise.all(['twin', 'twin', 'twin'].map(provision));
    assert.equal(new Set(twins.map(({ key }) => key.key_id)).size, 1);
    assert.equal((await embed(secretOf('acme'), 'a text')).status, 200);
    const { key } = first as unknown as { key: { user_id: string; external_id: string } };
    assert.deepEqual([key.user_id, key.external_id], ['acme-user', 'acme']);
    for (const asked of ['user_id=acme-user', 'q=ACME-u']) {
      const list = await program.send('GET', `/v1/organizations/${organization.org_id}/keys?${asked}`);
      assert.equal(list.body.data!.length, 1, asked);
    }
    const found = await program.send('GET', '/v1/organizations?external_id=acme');
    assert.deepEqual([found.body.data!.length, found.body.total], [1, 1]);
    const none = await program.send('GET', `/v1/organizations/${organization.org_id}/keys?user_id=nobody`);
    assert.deepEqual([none.body.data, none.body.total], [[], 0]);
  });

  test('gets 400 for another secret of a key, and for a secret that another key has', async () => {
    const { organization } = await provision('secrets');
    const path = (id: string) => `/v1/organizations/${organization.org_id}/keys/external/${id}`;
    for (const [id, secret, problem] of [
      ['secrets', 'another', /rotate the key/],
      ['other', 'secrets', /choose another one/],
    ] as const) {
      const body = { name: 'server', secret_sha256: digestOf(secretOf(secret)) };
      const refused = await program.send('PUT', path(id), body);
      assert.equal(refused.status, 400);
      assert.match(String(refused.body.message), problem);
    }
  });

  test('a call by external id that is refused changes nothing, and one with spaces around the id is the same', async () => {
    const { organization, key } = await provision('edges');
    const path = '/v1/organizations/external/edges';
    for (const wrong of [{ suspended: '' }, { suspended: 'x'.repeat(201) }, { window: 'day' }, { name: '' }])
      assert.equal((await program.send('PUT', path, { name: 'edges', tier: 'scale', ...wrong })).status, 400);
    const org = `/v1/organizations/${organization.org_id}`;
    assert.equal((await program.send('GET', org)).body.tier, organization.tier);
    for (const wrong of [{ suspended: '' }, { external_id: '' }])
      assert.equal((await program.send('PATCH', org, wrong)).status, 400);
    assert.equal((await program.send('PUT', path.replace('edges', '%20edges'), { name: 'e' })).status, 200);
    const body = { name: 'server', secret_sha256: digestOf(secretOf('edges')) };
    // The user is absent, so the key keeps them.
    const same = await program.send('PUT', `${org}/keys/external/%20edges`, body);
    assert.deepEqual([same.body.key_id, same.body.user_id], [key.key_id, key.user_id]);
    assert.equal(
      (await program.send('POST', `${org}/keys`, { name: 'k', external_id: ' edges' })).status,
      400,
    );
    assert.equal((await program.send('PATCH', `${org}/keys/${key.key_id}`, { user_id: ' ' })).status, 400);
  });

  test('organizations that add keys with one secret at the same time get 400, all but one', async () => {
    const all = await Promise.all(['race-1', 'race-2', 'race-3', 'race-4'].map(provision));
    const body = { name: 'server', secret_sha256: digestOf(secretOf('race')) };
    const put = ({ org_id }: Json) =>
      program.send('PUT', `/v1/organizations/${org_id}/keys/external/race`, body);
    const statuses = (await Promise.all(all.map((one) => put(one.organization)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, 400, 400, 400]);
  });

  test('a member who knows the secret of a key can’t take it over by its external id', async () => {
    const { organization } = await provision('taken-over');
    const { user, password } = await users.create({ email: 'taker@example.com' });
    await app.services.members.add(String(organization.org_id), user.userId, 'member');
    const page = await new Browser(app.address).signIn({ email: user.email, password });
    const path = `/v1/organizations/${organization.org_id}/keys/external/taken-over`;
    const body = { name: 'mine', secret_sha256: digestOf(secretOf('taken-over')) };
    await page.ask(403, 'PUT', path, body);
  });

  test('a successor takes over the external id, and a key that has ended is replaced', async () => {
    const { organization, key } = await provision('rotating');
    const keysPath = `/v1/organizations/${organization.org_id}/keys`;
    const next = digestOf(secretOf('next'));
    const rotated = await program.send('POST', `${keysPath}/${key.key_id}/rotate`, { secret_sha256: next });
    assert.deepEqual([rotated.status, rotated.body.key], [201, null]);
    const body = { name: 'server', secret_sha256: next };
    const same = await program.send('PUT', `${keysPath}/external/rotating`, body);
    assert.equal(same.body.key_id, rotated.body.key_id);
    await program.send('POST', `${keysPath}/${same.body.key_id}/revoke`);
    assert.equal((await program.send('PUT', `${keysPath}/external/rotating`, body)).status, 400);
    const third = { name: 'server', secret_sha256: digestOf(secretOf('third')) };
    assert.equal((await program.send('PUT', `${keysPath}/external/rotating`, third)).status, 200);
    assert.equal((await embed(secretOf('third'), 'a text')).status, 200);
  });

  test('changes a limit and a channel that are there when it makes them again', async () => {
    const { organization } = await provision('limited');
    const org = `/v1/organizations/${organization.org_id}`;
    const limit = (amount: number) =>
      program.send('POST', `${org}/limits`, { unit: 'texts', window: 'day', amount });
    const [first, second] = [await limit(5), await limit(7)];
    assert.deepEqual([second.body.limit_id, second.body.amount], [first.body.limit_id, 7]);
    const channel = (name: string) =>
      program.send('POST', `${org}/alerts/targets`, {
        kind: 'webhook',
        address: 'https://example.com/hook',
        name,
      });
    const [one, two] = [await channel('a'), await channel('b')];
    assert.ok(one.body.secret);
    assert.deepEqual([two.body.target_id, two.body.name, two.body.secret], [one.body.target_id, 'b', null]);
  });

  test('makes no administrator, changes none, gets nobody’s way to sign in, and embeds nothing', async () => {
    const { userId } = app.administrator;
    for (const [method, path, body] of [
      ['POST', '/v1/users', { email: 'new@example.com' }],
      ['POST', `/v1/users/${userId}/password-reset`, undefined],
      ['PATCH', `/v1/users/${userId}`, { disabled: true }],
      ['DELETE', `/v1/users/${userId}`, undefined],
      ['DELETE', `/v1/users/${userId}/sessions`, undefined],
      ['POST', '/v1/embeddings', { input: 'a text' }],
      ['POST', `/v1/organizations/${app.orgId}/embeddings`, { input: 'a text' }],
    ] as const)
      assert.equal((await program.send(method, path, body)).status, 403, `${method} ${path}`);
    const { user } = await users.create({ email: 'person@example.com' });
    assert.equal((await program.send('PATCH', `/v1/users/${user.userId}`, { is_admin: true })).status, 403);
    assert.equal((await program.send('PATCH', `/v1/users/${user.userId}`, { disabled: true })).status, 200);
  });

  test('makes no key of the installation with more than its own rights, and changes none', async () => {
    const less = await programWith(['manage:keys', 'read']);
    const create = (scopes: readonly Scope[]) => less.send('POST', '/v1/keys', { name: 'child', scopes });
    assert.equal((await create(['read'])).status, 201);
    assert.equal((await create(['audit'])).status, 403);
    for (const verb of ['', '/rotate', '/revoke']) {
      const method = verb === '' ? 'PATCH' : 'POST';
      const { status } = await less.send(
        method,
        `/v1/keys/${program.keyId}${verb}`,
        verb === '/revoke' ? undefined : {},
      );
      assert.equal(status, 403, verb);
    }
    const later = { expires_at: '2200-01-01T00:00:00Z' };
    assert.equal((await program.send('PATCH', `/v1/keys/${program.keyId}`, later)).status, 403);
    const refused = await program.send('POST', '/v1/keys', {
      name: 'child',
      scopes: ['read'],
      expires_in_days: null,
    });
    assert.equal(refused.status, 403);
    assert.equal((await program.send('POST', '/v1/keys', { name: 'child', scopes: ['embed'] })).status, 400);
  });

  test('a key of an organization means its own keys on a route without one, with the rights that it has there', async () => {
    const { organization } = await provision('own');
    const orgId = String(organization.org_id);
    const manager = await keys.create({
      orgId,
      userId: 'u',
      name: 'manager',
      scopes: ['read', 'manage:keys'],
    });
    const send = (method: string, body?: object) =>
      fetch(`${app.address}/v1/keys`, {
        method,
        headers: { authorization: `Bearer ${manager.secret}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    assert.equal((await send('POST', { name: 'more', scopes: ['manage:keys'] })).status, 403);
    const made = (await (await send('POST', { name: 'less', scopes: ['embed'] })).json()) as Json;
    assert.deepEqual([made.org_id, made.user_id], [orgId, 'u']);
    const { data } = (await (await send('GET')).json()) as { data: { org_id: string }[] };
    assert.deepEqual([...new Set(data.map(({ org_id }) => org_id))], [orgId]);
  });

  test('makes no key of the installation that outlives it, and its customers cannot delete themselves', async () => {
    const day = 86_400_000;
    const scopes = ['manage:keys', 'read'] as const;
    const made = { orgId: null, userId: null, name: 'short', scopes, lifetimeMs: 2 * day };
    const { key, secret } = await keys.create(made);
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const send = (method: string, path: string, body: object) =>
      fetch(app.address + path, { method, headers, body: JSON.stringify(body) });
    const child = { name: 'child', scopes: ['read'] };
    const { expires_at: end } = (await (await send('POST', '/v1/keys', child)).json()) as {
      expires_at: string;
    };
    assert.equal(Date.parse(end), key.expiresAt);
    assert.equal((await send('POST', '/v1/keys', { ...child, expires_in_days: 9 })).status, 403);
    const put = { ...child, expires_in_days: 9, secret_sha256: digestOf(secretOf('forever')) };
    assert.equal((await send('PUT', '/v1/keys/external/forever', put)).status, 403);
    const { key: longer } = await keys.create({ ...made, scopes: ['read'], lifetimeMs: 9 * day });
    assert.equal((await send('POST', `/v1/keys/${longer.keyId}/rotate`, {})).status, 403);

    const { organization } = await provision('self-deleting');
    const orgId = String(organization.org_id);
    const { user, password } = await users.create({ email: 'boss@self-deleting.example' });
    await app.services.members.add(orgId, user.userId, 'owner');
    const owner = await new Browser(app.address).signIn({ email: user.email, password });
    await owner.ask(403, 'DELETE', `/v1/organizations/${orgId}`);
    assert.equal((await program.send('DELETE', `/v1/organizations/${orgId}`)).status, 204);
  });

  test('an invitation by a key works until the key ends', async () => {
    const { organization } = await provision('inviting');
    const inviter = await programWith(['manage:users']);
    const path = `/v1/organizations/${organization.org_id}/invitations`;
    const token = async (email: string) => {
      const { body } = await inviter.send('POST', path, { email, role: 'owner' });
      return new URL(String(body.url)).hash.slice('#token='.length) || String(body.url).split('=').at(-1)!;
    };
    const accept = (email: string, code: string) =>
      new Browser(app.address).send('POST', '/v1/invitations/accept', {
        token: code,
        name: email,
        password: 'correct horse battery',
      });
    const [early, late] = [await token('early@example.com'), await token('late@example.com')];
    const shown = await new Browser(app.address).send('POST', '/v1/invitations/find', { token: early });
    const found = (await shown.json()) as { inviter_name: string; org_name: string };
    assert.equal(found.inviter_name, 'The operator');
    assert.ok((await accept('early', early)).ok);
    await keys.revoke(inviter.keyId);
    assert.equal((await accept('late', late)).status, 404);
  });
});

describe('an organization that is suspended', () => {
  test('gets 403 with the sentence in every dialect, also for cached texts, and works again afterwards', async () => {
    const { organization } = await provision('late-payer');
    const secret = secretOf('late-payer');
    const sentence = 'Invoice 2026-11 is overdue.';
    assert.equal((await embed(secret, 'a cached text')).status, 200);
    const path = `/v1/organizations/${organization.org_id}`;
    assert.equal((await program.send('PATCH', path, { suspended: sentence })).status, 200);
    const admin = await new Browser(app.address).signIn(app.administrator);
    for (const [url, body] of [
      ['/v1/embeddings', { input: 'a cached text' }],
      ['/v1/rerank', { query: 'q', documents: ['d'] }],
      ['/openai/v1/embeddings', { input: 'a cached text' }],
      ['/cohere/v2/embed', { texts: ['a cached text'] }],
      ['/voyage/v1/embeddings', { input: 'a cached text' }],
      ['/embed', { inputs: 'a cached text' }],
      ['/api/embed', { input: 'a cached text' }],
    ] as const) {
      const response = await embed(secret, '', url, body);
      assert.equal(response.status, 403, url);
      assert.ok((await response.text()).includes(sentence), url);
    }
    const asPerson = await admin.send('POST', `${path}/embeddings`, { input: 'a cached text' });
    assert.equal(asPerson.status, 403);
    assert.equal((await admin.ask<{ suspended: string }>(200, 'GET', path)).suspended, sentence);
    await program.send('PATCH', path, { suspended: null });
    assert.equal((await embed(secret, 'a cached text')).status, 200);
  });

  test('batches wait, and go on afterwards', async () => {
    const { organization } = await provision('batching');
    const path = `/v1/organizations/${organization.org_id}`;
    const secret = secretOf('batching');
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const requests = Array.from({ length: 1_200 }, (_, i) => ({
      custom_id: `${i}`,
      body: { input: `text ${i}` },
    }));
    const body = JSON.stringify({ endpoint: '/v1/embeddings', completion_window: '24h', requests });
    const created = await fetch(`${app.address}/v1/batches`, { method: 'POST', headers, body });
    const { id } = (await created.json()) as { id: string };
    const admin = await new Browser(app.address).signIn(app.administrator);
    type Shown = { status: string; waits_for: string | null; request_counts: { completed: number } };
    const batch = () => admin.ask<Shown>(200, 'GET', `${path}/batches/${id}`);
    await organizations.change(String(organization.org_id), { suspended: 'Overdue.' });
    await eventually(async () => /suspended: Overdue/.test(JSON.stringify(await batch())));
    const { completed } = (await batch()).request_counts;
    assert.ok(completed < 1_200);
    await organizations.change(String(organization.org_id), { suspended: null });
    await eventually(async () => (await batch()).status === 'completed');
    assert.equal((await batch()).request_counts.completed, 1_200);
  });

  test('admins of the organization can’t resume it, nor take its external id', async () => {
    const { organization } = await provision('clever');
    const orgId = String(organization.org_id);
    const { user, password } = await users.create({ email: 'clever@example.com' });
    await app.services.members.add(orgId, user.userId, 'owner');
    const page = await new Browser(app.address).signIn({ email: user.email, password });
    await organizations.change(orgId, { suspended: 'No.' });
    await page.ask(403, 'PATCH', `/v1/organizations/${orgId}`, { suspended: null });
    await page.ask(403, 'PATCH', `/v1/organizations/${orgId}`, { external_id: 'other' });
    await page.ask(200, 'PATCH', `/v1/organizations/${orgId}`, { name: 'New' });
  });
});

test('an administrator who leaves can be deleted, and somebody else has what they leave behind', async () => {
  const leaving = await users.create({ email: 'leaving@example.com', isAdmin: true });
  const { user: successor } = await users.create({ email: 'successor@example.com' });
  const page = await new Browser(app.address).signIn({
    email: leaving.user.email,
    password: leaving.password,
  });
  const { org_id } = await page.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'Left' });
  await page.ask(201, 'POST', `/v1/organizations/${org_id}/keys`, { name: 'theirs' });
  const admin = await new Browser(app.address).signIn(app.administrator);
  const path = `/v1/users/${leaving.user.userId}`;
  const left = await admin.ask<{ sole_owner_of: object[]; key_count: number }>(200, 'GET', path);
  assert.deepEqual([left.sole_owner_of, left.key_count], [[{ org_id, name: 'Left' }], 1]);
  await admin.ask(400, 'DELETE', path);
  await admin.ask(204, 'DELETE', `${path}?successor_id=${successor.userId}`);
  const inherited = await keys.list(org_id, { user_id: successor.userId });
  assert.deepEqual(
    inherited.data.map(({ name }) => name),
    ['theirs'],
  );
  assert.equal(await app.services.members.role(org_id, successor.userId), 'owner');
});
