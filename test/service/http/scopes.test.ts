import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { apiRoutes } from '../../../src/app.ts';
import type { App } from '../../../src/http/app-types.ts';
import { dialects } from '../../../src/http/dialects/dialects.ts';
import { type Scope, scopes } from '../../../src/keys/rights.ts';
import { listeningApp } from '../../helpers/app.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/**
 * The scope that a key needs, by the first pattern that matches the method and path. `none`: no scope is enough. A key
 * that names another key may rotate or revoke it only with `manage:keys`; keys.test.ts has a key that names itself.
 */
const needed: readonly [RegExp, Scope | 'none'][] = [
  [
    /^(POST|PATCH|PUT|DELETE) .*\/(limits|members|invitations|settings|targets|deliveries|tier|vectors)\b/,
    'none',
  ],
  [/^GET .*\/(members|invitations|targets|deliveries|audit)\b/, 'none'],
  [/^(POST|PATCH) .*\/keys\b/, 'manage:keys'],
  [/^(PATCH|DELETE) \/v1\/organizations\/:org_id$|^POST \/v1\/organizations$/, 'none'],
  [/^\w+ \/v1\/(users|service)\b|^\w+ \/v1\/me\/|^PATCH \/v1\/me$/, 'none'],
  [/\/(files|batches)\b/, 'batch'],
  [/rerank$/, 'rerank'],
  [/\/(embeddings|embed|embed_all|embed_sparse|tokenize)$|^POST \/$/, 'embed'],
  [/^GET |^POST \/api\/show$|\/acknowledge$/, 'read'],
];

describe('scopes of keys', async () => {
  const app = untilEnd(await listeningApp());
  const { orgId, services } = app;
  const secretWith = async (held: readonly Scope[]) =>
    (await services.keys.create({ orgId, userId: 'user', name: 'k', scopes: held })).secret;
  const secrets = new Map<Scope | 'empty', string>([['empty', await secretWith([])]]);
  for (const scope of scopes) secrets.set(scope, await secretWith([scope]));

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
    it(`${route} is for keys with its scope, and refuses others with 403`, async () => {
      const [, scope] = needed.find(([pattern]) => pattern.test(route)) ?? [];
      assert.ok(scope, 'a scope is stated above');
      const [method = '', template = ''] = route.split(' ');
      const path = template.replace(':org_id', orgId).replaceAll(/:\w+|\*/g, 'none');
      for (const [held, secret] of secrets) {
        const response = await fetch(app.address + path, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '{}' }),
        });
        const text = await response.text();
        const told = `${held}: ${response.status} ${text}`;
        if (held === scope) assert.ok([200, 400, 404, 422].includes(response.status), told);
        else if (response.status !== 401 || scope !== 'none') {
          assert.equal(response.status, 403, told);
          if (scope !== 'none') assert.match(text, new RegExp(`lacks the scope \\\\?"${scope}`), told);
        }
      }
    });
});
