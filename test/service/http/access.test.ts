import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { Check } from 'typebox/value';
import { installationScopes } from '../../../src/keys/rights.ts';
import type { Role } from '../../../src/organizations/access.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/** A program has a key of the installation with all scopes. */
type Who = Role | 'administrator' | 'program' | 'key' | 'stranger' | 'foreign key' | 'nobody';

const people: Who[] = ['viewer', 'member', 'admin', 'owner', 'administrator'];
const readers: Who[] = ['key', ...people];
const everybody: Who[] = [...readers, 'program'];
const writers: Who[] = ['member', 'admin', 'owner', 'administrator', 'program'];
/** A key of the installation embeds nothing. */
const senders: Who[] = ['key', 'member', 'admin', 'owner', 'administrator'];
const managers: Who[] = ['admin', 'owner', 'administrator', 'program'];
const operators: Who[] = ['administrator', 'program'];
const keys: Who[] = ['key', 'foreign key'];
const signedIn: Who[] = [...people, 'stranger'];
const identified: Who[] = [...signedIn, ...keys, 'program'];
const everyone: Who[] = [...identified, 'nobody'];

/**
 * The callers that pass the access check of each route. No request changes anything: a caller that passes gets a 400 or
 * a 404 from the route itself. `asked` limits the callers to try where a success would destroy what other tests need.
 */
const admitted: Record<string, { who: readonly Who[]; body?: unknown; asked?: readonly Who[] }> = {
  'get /health': { who: everyone },
  'get /ready': { who: everyone },
  'get /metrics': { who: everyone },
  'post /v1/embeddings': { who: keys, body: {} },
  'post /v1/rerank': { who: keys, body: {} },
  'post /v1/tokenize': { who: keys, body: {} },
  'post /v1/files': { who: keys, body: {} },
  'get /v1/files': { who: keys },
  'get /v1/files/{file_id}': { who: keys },
  'get /v1/files/{file_id}/content': { who: keys },
  'delete /v1/files/{file_id}': { who: keys },
  'post /v1/batches': { who: keys, body: {} },
  'get /v1/batches': { who: keys },
  'get /v1/batches/{batch_id}': { who: keys },
  'post /v1/batches/{batch_id}/cancel': { who: keys },
  'get /v1/models': { who: identified },
  'get /v1/models/{model}': { who: identified },
  'get /v1/tiers': { who: identified },
  'get /v1/usage': { who: keys },
  'get /v1/auth/options': { who: everyone },
  'post /v1/auth/sign-in': { who: everyone, body: {} },
  'post /v1/auth/sign-in/totp': { who: everyone, body: { code: 1 } },
  'post /v1/auth/sign-in/provider': { who: everyone, body: {} },
  'post /v1/auth/sign-up': { who: everyone, body: {} },
  'post /v1/auth/sign-out': { who: everyone, asked: ['nobody', ...keys] },
  'post /v1/auth/password/forgot': { who: everyone, body: {} },
  'post /v1/auth/password/reset': { who: everyone, body: {} },
  'post /v1/invitations/find': { who: everyone, body: {} },
  'post /v1/key-links/open': { who: everyone, body: {} },
  'post /v1/alert-targets/confirm': { who: everyone, body: {} },
  'post /v1/invitations/accept': { who: everyone, body: {} },
  'get /v1/me': { who: identified },
  'patch /v1/me': { who: signedIn, body: {} },
  'post /v1/me/password': { who: signedIn, body: {} },
  'post /v1/me/totp': { who: signedIn, body: {} },
  'post /v1/me/totp/confirm': { who: signedIn, body: {} },
  'post /v1/me/totp/remove': { who: signedIn, body: {} },
  'get /v1/me/sessions': { who: signedIn },
  'delete /v1/me/sessions': { who: signedIn },
  'delete /v1/me/sessions/{session_id}': { who: signedIn },
  'get /v1/service': { who: operators },
  'get /v1/requests': { who: [...keys, ...operators] },
  'get /v1/limits': { who: [...keys, ...operators] },
  'get /v1/usage/deprecated': { who: [...keys, ...operators] },
  'get /v1/usage/organizations': { who: operators },
  'get /v1/users': { who: operators },
  'post /v1/users': { who: ['administrator'], body: {} },
  'get /v1/users/{user_id}': { who: operators },
  'patch /v1/users/{user_id}': { who: operators, body: {} },
  'delete /v1/users/{user_id}': { who: operators },
  'delete /v1/users/{user_id}/sessions': { who: operators },
  'post /v1/users/{user_id}/password-reset': { who: ['administrator'] },
  'get /v1/organizations': { who: identified },
  'post /v1/organizations': { who: operators, body: {} },
  'get /v1/organizations/{org_id}': { who: everybody },
  'get /v1/organizations/{org_id}/access': { who: everybody },
  'patch /v1/organizations/{org_id}': { who: managers, body: {} },
  'delete /v1/organizations/{org_id}': { who: ['owner', ...operators] },
  'put /v1/organizations/{org_id}/tier': { who: operators, body: {} },
  'get /v1/organizations/{org_id}/keys': { who: everybody },
  'get /v1/organizations/{org_id}/keys/{key_id}': { who: everybody },
  'post /v1/organizations/{org_id}/keys': { who: writers, body: {} },
  'patch /v1/organizations/{org_id}/keys/{key_id}': { who: managers, body: {} },
  'post /v1/organizations/{org_id}/keys/{key_id}/revoke': { who: managers },
  'post /v1/organizations/{org_id}/keys/{key_id}/rotate': { who: managers, body: {} },
  'post /v1/organizations/{org_id}/keys/{key_id}/link': { who: managers },
  'put /v1/organizations/{org_id}/keys/external/{external_id}': { who: managers, body: {} },
  'get /v1/alerts/targets': { who: operators },
  'post /v1/alerts/targets': { who: operators, body: {} },
  'delete /v1/alerts/targets/{target_id}': { who: operators },
  'get /v1/keys': { who: [...keys, ...operators] },
  'get /v1/keys/{key_id}': { who: [...keys, ...operators] },
  'post /v1/keys': { who: operators, body: {} },
  'put /v1/keys/external/{external_id}': { who: operators, body: {} },
  'patch /v1/keys/{key_id}': { who: operators, body: {} },
  'post /v1/keys/{key_id}/revoke': { who: operators },
  'post /v1/keys/{key_id}/rotate': { who: operators, body: {} },
  'post /v1/keys/{key_id}/link': { who: operators },
  'put /v1/organizations/external/{external_id}': { who: operators, body: {} },
  'get /v1/organizations/{org_id}/limits': { who: everybody },
  'get /v1/organizations/{org_id}/limits/all': { who: everybody },
  'post /v1/organizations/{org_id}/limits': { who: managers, body: {} },
  'patch /v1/organizations/{org_id}/limits/{limit_id}': { who: managers, body: {} },
  'delete /v1/organizations/{org_id}/limits/{limit_id}': { who: managers },
  'get /v1/organizations/{org_id}/usage': { who: everybody },
  'get /v1/organizations/{org_id}/requests': { who: everybody },
  'get /v1/organizations/{org_id}/requests/histogram': { who: everybody },
  'get /v1/organizations/{org_id}/usage/deprecated': { who: everybody },
  'delete /v1/organizations/{org_id}/vectors': { who: managers },
  'get /v1/organizations/{org_id}/usage/export': { who: everybody },
  'post /v1/organizations/{org_id}/embeddings': { who: senders, body: {} },
  'post /v1/organizations/{org_id}/tokenize': { who: senders, body: {} },
  'post /v1/organizations/{org_id}/files': { who: senders, body: {} },
  'get /v1/organizations/{org_id}/files/{file_id}': { who: readers },
  'get /v1/organizations/{org_id}/files/{file_id}/content': { who: senders },
  'post /v1/organizations/{org_id}/batches': { who: senders, body: {} },
  'get /v1/organizations/{org_id}/batches': { who: readers },
  'get /v1/organizations/{org_id}/batches/{batch_id}': { who: readers },
  'post /v1/organizations/{org_id}/batches/{batch_id}/cancel': { who: senders },
  'get /v1/organizations/{org_id}/alerts': { who: everybody },
  'post /v1/organizations/{org_id}/alerts/{alert_id}/acknowledge': { who: ['key', ...writers] },
  'post /v1/organizations/{org_id}/alerts/acknowledge': { who: ['key', ...writers], body: {} },
  'get /v1/organizations/{org_id}/alerts/settings': { who: everybody },
  'put /v1/organizations/{org_id}/alerts/settings': { who: managers, body: {} },
  'get /v1/organizations/{org_id}/alerts/targets': { who: writers },
  'post /v1/organizations/{org_id}/alerts/targets': { who: managers, body: {} },
  'delete /v1/organizations/{org_id}/alerts/targets/{target_id}': { who: managers },
  'post /v1/organizations/{org_id}/alerts/targets/{target_id}/confirmation': { who: managers },
  'post /v1/organizations/{org_id}/alerts/targets/{target_id}/test': { who: managers },
  'get /v1/organizations/{org_id}/alerts/deliveries': { who: writers },
  'post /v1/organizations/{org_id}/alerts/deliveries/{delivery_id}/resend': { who: managers },
  'get /v1/organizations/{org_id}/audit': { who: managers },
  'get /v1/organizations/{org_id}/audit/export': { who: managers },
  'get /v1/audit': { who: operators },
  'get /v1/organizations/{org_id}/members': { who: [...people, 'program'] },
  'patch /v1/organizations/{org_id}/members/{user_id}': { who: managers, body: {} },
  'delete /v1/organizations/{org_id}/members/{user_id}': { who: managers },
  'get /v1/organizations/{org_id}/invitations': { who: [...people, 'program'] },
  'post /v1/organizations/{org_id}/invitations': { who: managers, body: {} },
  'delete /v1/organizations/{org_id}/invitations/{invitation_id}': { who: managers },
};

const app = untilEnd(await listeningApp());

describe('access to routes', async () => {
  const pages = new Map<Who, Browser>();

  const { users, members } = app.services;
  const orgId = await newOrganization();
  const key = (await app.services.keys.create({ orgId, userId: 'user_x', name: 'own' })).secret;
  const foreignKey = app.key;
  const scopes = installationScopes;
  const program = (await app.services.keys.create({ orgId: null, userId: null, name: 'program', scopes }))
    .secret;
  for (const who of ['viewer', 'member', 'admin', 'owner', 'stranger', 'administrator'] as const) {
    const isAdmin = who === 'administrator';
    const { user, password } = await users.create({ email: `${who}@example.com`, isAdmin });
    if (who !== 'stranger' && who !== 'administrator') await members.add(orgId, user.userId, who);
    pages.set(who, await new Browser(app.address).signIn({ email: user.email, password }));
  }
  pages.set('nobody', new Browser(app.address));

  async function newOrganization(): Promise<string> {
    return (await app.services.organizations.create({ name: 'Acme', tier: 'free' })).orgId;
  }

  const send = (who: Who, method: string, path: string, body: unknown): Promise<Response> => {
    const secret = { key, 'foreign key': foreignKey, program }[who as string];
    const page = pages.get(who) ?? new Browser(app.address);
    return page.send(method, path, body, secret ? { authorization: `Bearer ${secret}` } : {});
  };

  /** The status and the code that a refused caller gets. */
  const refusal = (route: string, who: Who): [status: number, code: string] => {
    const isForeign = who === 'stranger' || who === 'foreign key';
    if (who === 'program') return [403, 'forbidden'];
    if (who === 'nobody' || admitted[route]?.who === keys) return [401, 'invalid_api_key'];
    if (route.includes('{org_id}')) return isForeign ? [404, 'not_found'] : [403, 'forbidden'];
    return [403, 'forbidden'];
  };

  test('the table lists every route', async () => {
    const document = (await (await fetch(`${app.address}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    assert.deepEqual(routes.sort(), Object.keys(admitted).sort());
  });

  for (const [route, { who: allowed, body, asked = everyone }] of Object.entries(admitted)) {
    test(route, async () => {
      const [method = '', template = ''] = route.split(' ');
      for (const who of asked) {
        // A deletion succeeds for those who may delete, so each of them gets an organization of its own to delete.
        const isDeletion = route === 'delete /v1/organizations/{org_id}';
        if (isDeletion && allowed.includes(who)) continue;
        const path = template.replace('{org_id}', orgId).replace(/\{\w+\}/, 'none');
        const response = await send(who, method.toUpperCase(), path, body);
        const text = await response.text();
        const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
        const { error, message } = (isJson ? JSON.parse(text) : {}) as { error?: string; message?: string };
        const told = `${who}: ${response.status} ${error} ${message}`;
        if (allowed.includes(who)) {
          assert.ok([200, 204, 400, 404].includes(response.status), told);
          if (response.status === 404) assert.notEqual(message, 'No such organization', told);
        } else {
          assert.deepEqual([response.status, error], refusal(route, who), told);
          if (response.status === 404) assert.equal(message, 'No such organization', told);
        }
      }
    });
  }

  test('an owner deletes their own organization and an administrator deletes any; strangers and sessions without a user delete none', async () => {
    for (const who of ['owner', 'administrator'] as const) {
      const doomed = await newOrganization();
      const page = pages.get(who) as Browser;
      if (who === 'owner') {
        const { user_id } = await page.ask<{ user_id: string }>(200, 'GET', '/v1/me');
        await app.services.members.add(doomed, user_id, 'owner');
      }
      const path = `/v1/organizations/${doomed}`;
      await (pages.get('stranger') as Browser).ask(404, 'DELETE', path);
      await page.ask(204, 'DELETE', path);
      await page.ask(404, 'GET', path);
    }
  });

  test('an organization that does not exist looks like one of other people', async () => {
    for (const who of ['stranger', 'administrator', 'viewer'] as const) {
      const response = await send(who, 'GET', '/v1/organizations/org_none', undefined);
      assert.deepEqual(
        [response.status, ((await response.json()) as { message: string }).message],
        [404, 'No such organization'],
      );
    }
  });

  test('users see their own organizations and what they may do there', async () => {
    type List = { data: { org_id: string; role: string; may: string[] }[] };
    const seen = async (who: Who) =>
      (await (await send(who, 'GET', '/v1/organizations', undefined)).json()) as List;
    const [viewers] = (await seen('viewer')).data;
    assert.deepEqual([viewers?.org_id, viewers?.role], [orgId, 'viewer']);
    assert.ok(viewers?.may.includes('keys.read') && !viewers.may.includes('keys.create'));
    assert.deepEqual((await seen('stranger')).data, []);
    assert.deepEqual(
      (await seen('key')).data.map(({ org_id, role }) => [org_id, role]),
      [[orgId, 'key']],
    );
    assert.ok((await seen('administrator')).data.length >= 2);
  });

  test('a key revokes only itself, and a member only their own keys', async () => {
    const { keys } = app.services;
    const path = (keyId: string, verb: string) => `/v1/organizations/${orgId}/keys/${keyId}/${verb}`;
    const mine = await keys.create({ orgId, userId: 'user_y', name: 'mine' });
    const others = await keys.create({ orgId, userId: 'user_y', name: 'others' });
    const authorization = { authorization: `Bearer ${mine.secret}` };
    const program = new Browser(app.address);
    const refused = await program.send('POST', path(others.key.keyId, 'revoke'), undefined, authorization);
    assert.equal(refused.status, 403);
    const revoked = await program.send('POST', path(mine.key.keyId, 'revoke'), undefined, authorization);
    assert.equal(((await revoked.json()) as { status: string }).status, 'revoked');

    const member = pages.get('member') as Browser;
    const made = await member.ask<{ key_id: string; user_id: string }>(
      201,
      'POST',
      `/v1/organizations/${orgId}/keys`,
      {
        name: 'members own',
        expires_in_days: null,
      },
    );
    await member.ask(403, 'POST', path(others.key.keyId, 'revoke'));
    await member.ask(200, 'POST', path(made.key_id, 'revoke'));
    await (pages.get('admin') as Browser).ask(200, 'POST', path(others.key.keyId, 'revoke'));
  });

  test('only owners change owners, and members can leave by themselves', async () => {
    const { members, users } = app.services;
    const { user: owner } = await users.create({ email: 'owner2@example.com' });
    const { user: member, password } = await users.create({ email: 'leaver@example.com' });
    await members.add(orgId, owner.userId, 'owner');
    await members.add(orgId, member.userId, 'member');
    const path = (userId: string) => `/v1/organizations/${orgId}/members/${userId}`;
    const admin = pages.get('admin') as Browser;
    await admin.ask(403, 'PATCH', path(owner.userId), { role: 'viewer' });
    await admin.ask(403, 'DELETE', path(owner.userId));
    await admin.ask(403, 'PATCH', path(member.userId), { role: 'owner' });
    await admin.ask(403, 'POST', `/v1/organizations/${orgId}/invitations`, {
      email: 'o@example.com',
      role: 'owner',
    });
    await admin.ask(200, 'PATCH', path(member.userId), { role: 'viewer' });
    const leaver = await new Browser(app.address).signIn({ email: member.email, password });
    await leaver.ask(403, 'DELETE', path(owner.userId));
    await leaver.ask(204, 'DELETE', path(member.userId));
    await leaver.ask(404, 'GET', `/v1/organizations/${orgId}`);
    const first = pages.get('owner') as Browser;
    await first.ask(200, 'PATCH', path(owner.userId), { role: 'member' });
    const { user_id } = await first.ask<{ user_id: string }>(200, 'GET', '/v1/me');
    await first.ask(400, 'DELETE', path(user_id));
  });
});

describe('a person whose access ends while their body arrives', () => {
  const { users, members, userChanges, load } = app.services;
  const { orgId } = app;
  const ways: Record<string, [(userId: string) => Promise<unknown>, status: number]> = {
    'is removed': [async (id) => members.remove(await members.get(orgId, id)), 404],
    'becomes a viewer': [async (id) => members.setRole(await members.get(orgId, id), 'viewer'), 403],
    'is disabled': [(id) => userChanges.change(id, { isDisabled: true }), 401],
  };
  for (const [what, [end, status]] of Object.entries(ways)) {
    test(`creates no key if they are one who ${what}`, async () => {
      const email = `${status}@example.com`;
      const { user, password } = await users.create({ email, isAdmin: false, emailVerified: true });
      await members.add(orgId, user.userId, 'admin');
      const { cookie } = await new Browser(app.address).signIn({ email, password });
      const body = JSON.stringify({ name: 'theirs' });
      const sending = httpRequest(`${app.address}/v1/organizations/${orgId}/keys`, {
        method: 'POST',
        headers: {
          cookie,
          origin: app.address,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      });
      sending.write(body.slice(0, 5));
      await eventually(() => load.requests === 1);
      await end(user.userId);
      sending.end(body.slice(5));
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      response.resume();
      assert.equal(response.statusCode, status);
    });
  }
});

type Json = { [name: string]: Json };
type Answer = { status: number; headers: Headers; body: unknown };

describe('/openapi.json', async () => {
  const document = (await (await fetch(`${app.address}/openapi.json`)).json()) as Json;

  /** The document with every reference replaced by its target. */
  const resolved = (node: unknown): Json => {
    if (Array.isArray(node)) return node.map(resolved) as unknown as Json;
    if (typeof node !== 'object' || node === null) return node as unknown as Json;
    const { $ref: reference } = node as { $ref?: string };
    if (reference === undefined) {
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolved(value)]));
    }
    const [, ...path] = reference.split('/');
    const found = path.reduce<Json | undefined>((place, name) => place?.[name], document);
    assert.ok(found, reference);
    return resolved(found);
  };

  const paths = resolved(document.paths);
  const operations = () =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    );

  test('each operation has a unique name, a summary, a tag and a description of each response', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    for (const { name, operation } of operations()) {
      for (const field of ['operationId', 'summary', 'tags'])
        assert.ok(operation[field], `${name}: ${field}`);
      for (const [status, { description, headers }] of Object.entries(operation.responses ?? {})) {
        assert.notEqual(description, 'Default Response', `${name} ${status}`);
        assert.ok(headers?.['X-Request-Id'], `${name} ${status}`);
      }
    }
  });

  test('every example matches its schema', () => {
    let examples = 0;
    for (const { name, operation } of operations()) {
      for (const message of [operation.requestBody, ...Object.values(operation.responses ?? {})]) {
        for (const { schema, example, examples: several = {} } of Object.values(message?.content ?? {})) {
          const values = Object.values(several).map(({ value }) => value);
          for (const value of example ? [example, ...values] : values) {
            examples += 1;
            assert.ok(Check(schema as Json, value), `${name}: ${JSON.stringify(value)}`);
          }
        }
      }
    }
    assert.ok(examples >= 20, `${examples} examples`);
  });

  const onlySometimes = ['X-Embedding-Truncated', 'Deprecation', 'Sunset'];

  /** Checks a response against the document's schema for its operation and status. */
  const assertDocumented = (path: string, method: string, { status, headers, body }: Answer): void => {
    const response = paths[path]?.[method]?.responses?.[status];
    assert.ok(response, `${method} ${path} ${status} is not documented`);
    for (const header of Object.keys(response.headers ?? {})) {
      if (onlySometimes.includes(header)) continue;
      assert.ok(headers.has(header), `${method} ${path} ${status} has no ${header}`);
    }
    const mediaType = headers.get('content-type')?.split(';')[0] ?? '';
    const schema = response.content?.[mediaType]?.schema;
    assert.ok(schema, `${method} ${path} ${status} is not documented as ${mediaType}`);
    assert.ok(Check(schema, body), `${method} ${path} ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  };

  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(app.address + path, init);
    const isJson = response.headers.get('content-type')?.startsWith('application/json;');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? await response.json() : await response.text(),
    };
  };

  test('every route that only reads responds as the document says', async () => {
    const withKey = { authorization: `Bearer ${app.key}` };
    const page = await new Browser(app.address).signIn(app.administrator);
    const [key] = (await app.services.keys.list(app.orgId, {})).data;
    const program = { orgId: null, userId: null, name: 'program', scopes: installationScopes };
    const { key: ofInstallation, secret } = await app.services.keys.create(program);
    const requests = [{ body: { input: 'a batch' } }];
    const client = batchClient(app);
    const { json: batch } = await client.send('POST', '/batches', { endpoint: '/v1/embeddings', requests });
    let asked = 0;
    for (const [path, { get }] of Object.entries(paths)) {
      // Its response has no end.
      if (!get) continue;
      const isForPeople = (get.security as unknown as object[] | undefined)?.every((one) => 'session' in one);
      const isOfInstallation =
        /^\/v1\/(alerts|keys|users|service|audit|usage\/organizations)|members|invitations|targets|deliveries|audit/.test(
          path,
        );
      const withSecret = isOfInstallation ? { authorization: `Bearer ${secret}` } : withKey;
      const headers: Record<string, string> = isForPeople ? { cookie: page.cookie } : withSecret;
      const answer = await ask(
        path
          .replace('{org_id}', app.orgId)
          .replace('{key_id}', path.startsWith('/v1/keys') ? ofInstallation.keyId : key!.keyId)
          .replace('{user_id}', app.administrator.userId)
          .replace('{file_id}', batch.input_file_id)
          .replace('{batch_id}', batch.id)
          .replace('{model}', 'all-MiniLM-L6-v2'),
        { headers },
      );
      assert.equal(answer.status, 200, path);
      assertDocumented(path, 'get', answer);
      asked += 1;
      if (!path.includes('{org_id}')) continue;
      const foreign = await ask(path.replace('{org_id}', 'org_0'), { headers });
      assert.equal(foreign.status, 404, path);
      assertDocumented(path, 'get', foreign);
      const nobody = await ask(path.replace('{org_id}', app.orgId));
      assert.equal(nobody.status, 401, path);
      assertDocumented(path, 'get', nobody);
    }
    assert.ok(asked >= 19, `${asked} routes`);
  });

  test('every response to POST /v1/embeddings is as the document says', async () => {
    const json = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    const [path, method] = ['/v1/embeddings', 'POST'];
    const post = async (
      status: number,
      body: unknown,
      headers: Record<string, string> = json,
    ): Promise<void> => {
      const answer = await ask(path, { method, headers, body: JSON.stringify(body) });
      assert.equal(answer.status, status);
      assertDocumented(path, 'post', answer);
    };
    await post(200, { input: 'one text' });
    await post(200, { input: ['one text', 'another'], encoding_format: 'base64', dimensions: 8 });
    await post(400, { input: [] });
    await post(400, { input: [] }, { ...json, 'x-error-format': 'openai' });
    await post(401, { input: 'x' }, { 'content-type': 'application/json' });
    await post(413, { input: 'x'.repeat(5 << 20) });
    await post(415, { input: 'x' }, { ...json, 'content-type': 'text/csv' });
    await app.services.organizations.setTier(app.orgId, 'enterprise', { amount: 0, window: 'month' });
    await post(429, { input: 'refused' });
  });
});
