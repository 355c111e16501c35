import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fastify from 'fastify';
import { apiRoutes } from '../../../src/app.ts';
import type { App } from '../../../src/http/app-types.ts';
import { dialects } from '../../../src/http/dialects/dialects.ts';
import type { NewKey } from '../../../src/keys/key.ts';
import { installationScopes, type Scope, scopes } from '../../../src/keys/rights.ts';
import type { Role } from '../../../src/organizations/access.ts';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, type Json, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { writeBertModel } from '../../helpers/models/write-bert-model.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const builtin = 'all-MiniLM-L6-v2';

const directory = untilEnd(temporaryDirectory());
const reranker = `${directory.path}/scorer`;
await writeBertModel(reranker, { outputs: ['logits'], tokenTypes: true });
const environment = { RERANK_MODEL: reranker, EMBEDDING_MODEL_ALIASES: 'small,large' };
const app = untilEnd(await listeningApp({ environment }));
const { orgId, services } = app;

describe('keys that may do less', async () => {
  const path = `/v1/organizations/${orgId}/keys`;
  const create = async (given: Partial<NewKey> = {}) => {
    const { key, secret } = await services.keys.create({ orgId, userId: 'user', name: 'less', ...given });
    const send = async (method: string, url: string, body?: object) => {
      const response = await fetch(app.address + url, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Json };
    };
    return { keyId: key.keyId, secret, url: `${path}/${key.keyId}`, send };
  };
  const person = async (role: Role) => {
    const { user, password } = await services.users.create({ email: `${role}@example.com` });
    await services.members.add(orgId, user.userId, role);
    const page = await new Browser(app.address).signIn({ email: user.email, password });
    return { userId: user.userId, page };
  };
  const [owner, admin, member] = [await person('owner'), await person('admin'), await person('member')];

  test('a key uses only the names of models that it has, in every dialect', async () => {
    const { send } = await create({ models: ['small'] });
    const refused = (name: string, { status, body }: { status: number; body: Json }) => {
      assert.equal(status, 403, JSON.stringify(body));
      const { message = body.error.message ?? body.error } = body;
      assert.equal(message, `The API key may not use the model "${name}"`);
    };
    const input = 'a cat';
    assert.equal((await send('POST', '/v1/embeddings', { input, model: 'small' })).status, 200);
    for (const model of ['large', builtin, 'unknown'])
      refused(model, await send('POST', '/v1/embeddings', { input, model }));
    refused(builtin, await send('POST', '/v1/embeddings', { input }));
    refused('large', await send('POST', '/v1/tokenize', { input, model: 'large' }));
    refused('scorer', await send('POST', '/v1/rerank', { query: 'q', documents: ['d'] }));
    refused('large', await send('POST', '/openai/v1/embeddings', { input, model: 'large' }));
    refused('large', await send('POST', '/openai/deployments/large/embeddings', { input }));
    refused('large', await send('POST', '/cohere/v2/embed', { texts: [input], model: 'large' }));
    refused('large', await send('POST', '/voyage/v1/embeddings', { input, model: 'large' }));
    refused(builtin, await send('POST', '/embed', { inputs: input }));
    const raw = { query: 'q', documents: ['d'], raw_scores: true };
    for (const model of ['large', 'unknown']) {
      refused(model, await send('POST', '/api/embed', { input, model }));
      refused(model, await send('POST', '/v1/rerank', { ...raw, model }));
    }
    for (const [url, body] of [
      ['embed', { input }],
      ['embed', { input: [] }],
      ['show', {}],
    ] as const)
      refused('large', await send('POST', `/api/${url}`, { ...body, model: 'large' }));
  });

  test('a key sees the models that it may use, and an empty list means none', async () => {
    for (const [models, names] of [
      [null, [builtin, 'small', 'large', 'scorer']],
      [
        ['small', 'scorer', 'gone'],
        ['small', 'scorer'],
      ],
      [[], []],
    ] as const) {
      const { send } = await create({ models });
      const ids = ({ body }: { body: Json }) => body.data.map(({ id }: Json) => id);
      for (const url of ['/v1/models', '/openai/models'])
        assert.deepEqual(ids(await send('GET', url)).sort(), [...names].sort(), url);
      const tags = (await send('GET', '/api/tags')).body.models.map(({ name }: Json) => name);
      assert.deepEqual(
        tags,
        [builtin, 'small', 'large'].filter((name) => names.some((one) => one === name)),
      );
      assert.equal((await send('GET', '/v1/models/large')).status, models === null ? 200 : 404);
    }
  });

  test('the lines of a batch use only what the key may use, until its end', async () => {
    const client = batchClient({
      ...app,
      key: (await create({ scopes: ['batch', 'embed'], models: ['small'] })).secret,
    });
    const bodies = [{ input: 'a' }, { input: 'b', model: 'large' }, { input: 'c', model: 'small' }];
    const failed = await client.ended(
      (await client.create(jsonl(bodies.map((body, i) => line(`${i}`, body))))).id,
    );
    assert.equal(failed.status, 'failed');
    assert.deepEqual(
      failed.errors.data.map(({ message }: Json) => message),
      [builtin, 'large'].map((name) => `The API key may not use the model "${name}"`),
    );
    const reranks = await client.create(
      jsonl([line('0', { query: 'q', documents: ['d'], model: 'scorer' }, '/v1/rerank')]),
      '/v1/rerank',
    );
    const { errors } = await client.ended(reranks.id);
    assert.equal(errors.data[0].message, 'The API key lacks the scope "rerank"');
  });

  test('a batch of a paused key, or of one without the scope, does not run', async () => {
    for (const changes of [{ enabled: false }, { scopes: ['read', 'embed'] as const }]) {
      const { keyId, secret } = await create();
      const client = batchClient({ ...app, key: secret });
      const { json: file } = await client.upload(jsonl([line('0', { input: 'never computed' })]));
      await services.keys.change(keyId, { ...changes });
      const batch = { orgId, senderId: keyId, endpoint: '/v1/embeddings' as const, inputFileId: file.id };
      const rest = { metadata: null, outputExpiresAfterMs: 86_400_000, completionWindowMs: 86_400_000 };
      const left = { remaining: null, resetsAtMs: null };
      const { batchId } = await services.batches.create(
        { ...batch, ...rest },
        left,
        services.fileContents.bounds,
      );
      const ended = await batchClient(app).ended(batchId);
      assert.deepEqual([ended.status, ended.request_counts.completed], ['failed', 0]);
    }
  });

  test('a person changes, pauses and resumes a key, from the next request on', async () => {
    const { url, send } = await create();
    const change = (body: object, status = 200) => owner.page.ask<Json>(status, 'PATCH', url, body);
    const input = 'a dog';
    assert.equal((await send('POST', '/v1/embeddings', { input })).status, 200);
    const paused = await change({ enabled: false });
    assert.deepEqual([paused.status, paused.enabled], ['active', false]);
    assert.deepEqual(await send('POST', '/v1/embeddings', { input }), {
      status: 401,
      body: { error: 'invalid_api_key', message: 'Invalid API key' },
    });
    const changes = {
      name: 'renamed',
      scopes: ['rerank', 'embed'],
      models: ['large'],
      default_model: 'large',
    };
    const changed = await change({ ...changes, enabled: true, expires_at: '2099-01-01T00:00:00Z' });
    assert.deepEqual(changed, {
      ...paused,
      last_used_at: changed.last_used_at,
      ...changes,
      scopes: ['embed', 'rerank'],
      enabled: true,
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    assert.equal((await send('POST', '/v1/embeddings', { input })).status, 200);
    assert.equal((await send('GET', '/v1/usage')).status, 403);
    assert.equal((await change({ expires_at: null, models: null, default_model: null })).models, null);
    for (const [field, value] of Object.entries({
      expires_at: '2020-01-01T00:00:00Z',
      scopes: ['all'],
      models: ['  '],
      default_model: 'unknown',
      name: '',
      enabled: 'no',
    }))
      assert.match((await change({ [field]: value }, 400)).message, new RegExp(`^${field}`));
    await change({ models: ['small'], default_model: 'large' }, 400);
    await owner.page.ask(200, 'POST', `${url}/revoke`);
    await change({ enabled: true }, 400);
  });

  test('members change their own keys, admins any key, and viewers and other members none', async () => {
    const [own, other] = [await create({ userId: member.userId }), await create()];
    await member.page.ask(200, 'PATCH', own.url, { name: 'mine' });
    await member.page.ask(403, 'PATCH', other.url, { name: 'not mine' });
    await admin.page.ask(200, 'PATCH', other.url, { name: 'any' });
    const viewer = await person('viewer');
    await viewer.page.ask(403, 'PATCH', (await create({ userId: viewer.userId })).url, { enabled: true });
  });

  test('only owners and administrators give manage:keys or get such a key into their hands', async () => {
    const administrator = await new Browser(app.address).signIn(app.administrator);
    const body = { name: 'manager', scopes: ['manage:keys', 'read'], expires_in_days: 30 };
    for (const { page } of [member, admin]) {
      const { message } = await page.ask<Json>(403, 'POST', path, body);
      assert.match(message, /"manage:keys"/);
    }
    for (const page of [owner.page, administrator]) {
      const { key_id } = await page.ask<Json>(201, 'POST', path, body);
      const url = `${path}/${key_id}`;
      await admin.page.ask(403, 'PATCH', url, { name: 'taken' });
      await admin.page.ask(403, 'POST', `${url}/rotate`, {});
      await page.ask(201, 'POST', `${url}/rotate`, {});
      await admin.page.ask(200, 'POST', `${url}/revoke`);
    }
    const plain = await create({ userId: member.userId });
    for (const { page } of [member, admin])
      await page.ask(403, 'PATCH', plain.url, { scopes: ['manage:keys'] });
    await owner.page.ask(200, 'PATCH', plain.url, { scopes: ['manage:keys'] });
  });

  test('a key that manages keys must expire, and can neither embed nor rerank nor send batches', async () => {
    const body = { name: 'manager', scopes: ['manage:keys'] };
    await owner.page.ask(400, 'POST', path, { ...body, expires_in_days: null });
    for (const scope of ['embed', 'rerank', 'batch'])
      await owner.page.ask(400, 'POST', path, { ...body, scopes: ['manage:keys', scope] });
    const { key_id } = await owner.page.ask<Json>(201, 'POST', path, body);
    await owner.page.ask(400, 'PATCH', `${path}/${key_id}`, { expires_at: null });
    await owner.page.ask(400, 'PATCH', `${path}/${key_id}`, { scopes: ['manage:keys', 'embed'] });
    const endless = await create({ lifetimeMs: Number.POSITIVE_INFINITY });
    await owner.page.ask(400, 'PATCH', endless.url, { scopes: ['manage:keys'] });
  });

  test('a key that manages keys creates, changes, rotates and revokes those that do not', async () => {
    const scopes = ['manage:keys'] as const;
    const manager = await create({ scopes, userId: owner.userId });
    const { body: made } = await manager.send('POST', path, { name: 'made', scopes: ['embed'] });
    assert.equal(made.user_id, owner.userId);
    const url = `${path}/${made.key_id}`;
    assert.equal((await manager.send('PATCH', url, { models: ['small'] })).status, 200);
    const { status, body: rotated } = await manager.send('POST', `${url}/rotate`, {});
    assert.equal(status, 201);
    const { scopes: inherited, models } = (await services.keys.find(orgId, rotated.key_id))!;
    assert.deepEqual([inherited, models], [['embed'], ['small']]);
    assert.equal((await manager.send('POST', `${url}/revoke`)).status, 200);

    const other = await create({ scopes });
    for (const [method, where, body] of [
      ['POST', path, { name: 'more', scopes, expires_in_days: 1 }],
      ['PATCH', `${path}/${rotated.key_id}`, { scopes }],
      ['PATCH', other.url, { scopes: ['embed'] }],
      ['PATCH', manager.url, { enabled: true }],
      ['POST', `${other.url}/rotate`, {}],
      ['POST', `${other.url}/revoke`, undefined],
      ['POST', `${other.url}/link`, undefined],
    ] as const) {
      const refused = await manager.send(method, where, body);
      assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'], `${method} ${where}`);
      assert.match(refused.body.message, /"manage:keys"/);
    }
    const { body: successor } = await manager.send('POST', `${manager.url}/rotate`, {});
    assert.deepEqual((await services.keys.find(orgId, successor.key_id))?.scopes, scopes);
    assert.equal((await manager.send('POST', `${manager.url}/revoke`)).status, 200);
  });

  test('a key that manages keys gives no models that it does not have', async () => {
    const manager = await create({ scopes: ['manage:keys'], models: ['small', 'scorer'] });
    const body = { name: 'made' };
    assert.equal((await manager.send('POST', path, { ...body, models: ['small'] })).status, 201);
    for (const models of [undefined, null, ['small', 'large']])
      assert.equal((await manager.send('POST', path, { ...body, models })).status, 403);
    // The error of an unknown name would list the models that are served.
    const unknown = await manager.send('POST', path, { ...body, models: ['small'], default_model: 'nope' });
    assert.deepEqual([unknown.status, /large/.test(unknown.body.message)], [403, false]);
    const wide = await create();
    for (const [verb, changes] of [
      ['', { name: 'taken' }],
      ['/rotate', {}],
      ['/link', undefined],
    ] as const)
      assert.equal((await manager.send(verb ? 'POST' : 'PATCH', wide.url + verb, changes)).status, 403);
  });
});

/**
 * The scope that a key needs, by the first pattern that matches the method and path. `none`: no scope is enough. A key
 * that names another key may rotate or revoke it only with `manage:keys`; this file has a key that names itself.
 */
const needed: readonly [RegExp, Scope | 'none'][] = [
  [/^(POST|PATCH|PUT|DELETE) .*\/limits\b/, 'manage:limits'],
  [/^\w+ .*\/(members|invitations)\b/, 'manage:users'],
  [/^(PUT .*\/settings|\w+ .*\/(targets|deliveries)\b)/, 'manage:alerts'],
  [/^GET .*\/audit\b/, 'audit'],
  [/^(POST|PATCH|PUT) .*\/keys\b/, 'manage:keys'],
  [
    /^(PATCH|DELETE|PUT) .*\/organizations\/(:org_id|:org_id\/tier|:org_id\/vectors|external\/:external_id)$/,
    'manage:organizations',
  ],
  [/^POST \/v1\/organizations$/, 'manage:organizations'],
  [/^POST \/v1\/users\b/, 'none'],
  [/^\w+ \/v1\/users\b/, 'manage:users'],
  [/^\w+ \/v1\/me\/|^PATCH \/v1\/me$/, 'none'],
  [/\/(files|batches)\b/, 'batch'],
  [/rerank$/, 'rerank'],
  [/\/(embeddings|embed|embed_all|embed_sparse|tokenize)$|^POST \/$/, 'embed'],
  [/^GET |^POST \/api\/show$|\/acknowledge$/, 'read'],
];
/** The routes that a key of an organization has no use for, and those that only such a key can use. */
const ofInstallation =
  /^\w+ \/v1\/(alerts|users|service|audit|usage\/organizations)\b|^(POST|PUT) \/v1\/organizations(\/external\/:external_id)?$/;
const ofCaller = /^\w+ \/(?!v1\/)|^\w+ \/v1\/(usage$|embed|embeddings|tokenize|rerank|files|batches)\b/;

describe('scopes of keys', async () => {
  const secretWith = async (whose: string | null, held: readonly Scope[], networks: string[]) =>
    (await services.keys.create({ orgId: whose, userId: 'user', name: 'k', scopes: held, networks })).secret;
  const secrets: { held: Scope | 'empty'; whose: string | null; isInside: boolean; secret: string }[] = [];
  for (const [whose, possible] of [
    [orgId, scopes],
    [null, installationScopes],
  ] as const) {
    for (const [isInside, network] of [
      [true, '127.0.0.0/8'],
      [false, '203.0.113.0/24'],
    ] as const)
      for (const held of ['empty', ...possible] as const) {
        const secret = await secretWith(whose, held === 'empty' ? [] : [held], [network]);
        secrets.push({ held, whose, isInside, secret });
      }
  }

  const routes: string[] = [];
  const described = fastify() as unknown as App;
  described.addHook('onRoute', ({ method, url, config }) => {
    for (const name of [method].flat())
      if (config?.access && name !== 'HEAD' && url !== '*') routes.push(`${name} ${url}`);
  });
  await apiRoutes(described, services);
  for (const { routes: add } of dialects)
    await described.register(async (scope: App) => add?.(scope, services));

  it('covers the routes of the API and of all dialects', () => {
    assert.ok(routes.length > 120, `${routes.length} routes`);
    for (const pattern of [/^POST \/cohere\/v2\/embed$/, /^GET \/api\/tags$/, /^GET \/openai\/models$/])
      assert.ok(
        routes.some((route) => pattern.test(route)),
        String(pattern),
      );
  });

  for (const route of routes)
    it(`${route} is for keys with its scope in their networks, and refuses others with 403 and those from elsewhere as unknown`, async () => {
      const [, scope] = needed.find(([pattern]) => pattern.test(route)) ?? [];
      assert.ok(scope, 'a scope is stated above');
      const [method = '', template = ''] = route.split(' ');
      const send = async (path: string, secret: string) => {
        const response = await fetch(app.address + path, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '{}' }),
        });
        const own = ['date', 'x-request-id'];
        const headers = [...response.headers].filter(([name]) => !own.includes(name));
        return { status: response.status, headers, text: await response.text() };
      };
      const unknown = await send(template.replaceAll(/:\w+|\*/g, 'none'), `sk_${'0'.repeat(64)}`);
      assert.equal(unknown.status, 401);
      for (const { held, whose, isInside, secret } of secrets) {
        const isOut =
          whose === null ? ofCaller.test(route) : ofInstallation.test(route) && !/:org_id/.test(route);
        const doomed = async () => (await services.organizations.create({ name: 'Doomed' })).orgId;
        const isDeletion = route === 'DELETE /v1/organizations/:org_id' && whose === null && isInside;
        const path = template
          .replace(':org_id', isDeletion ? await doomed() : orgId)
          .replaceAll(/:\w+|\*/g, 'none');
        const response = await send(path, secret);
        const { text } = response;
        const told = `${held}, ${whose}: ${response.status} ${text}`;
        if (!isInside) assert.deepEqual(response, unknown, told);
        else if (isOut) assert.equal(response.status, 403, told);
        else if (held === scope) assert.ok([200, 204, 400, 404, 422].includes(response.status), told);
        else if (response.status !== 401 || scope !== 'none') {
          assert.equal(response.status, 403, told);
          if (scope !== 'none') assert.match(text, new RegExp(`lacks the scope \\\\?"${scope}`), told);
        }
      }
    });
});
