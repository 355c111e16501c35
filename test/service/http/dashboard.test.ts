import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../src/http/app-types.ts';
import { dashboardRoutes } from '../../../src/http/routes/dashboard.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';

describe('the dashboard’s files', () => {
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp();
  });
  after(() => app[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(app.address + path, { headers, redirect: 'manual' });
  const script = async (): Promise<string> => {
    const [, path = ''] = /src="(\/assets\/[^"]+)"/.exec(await (await get('/login')).text()) ?? [];
    return path;
  };

  test('/ redirects to the organizations with 302', async () => {
    const response = await get('/');
    assert.deepEqual([response.status, response.headers.get('location')], [302, '/organizations']);
  });

  test('a page at any depth gets the one document, under a strict policy', async () => {
    for (const path of ['/login', '/organizations', '/organizations/org_x/keys', '/account']) {
      const { status, headers } = await get(path);
      assert.equal(status, 200, path);
      assert.match(headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(headers.get('cache-control'), 'no-cache');
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|data:/);
    }
  });

  test('an asset comes compressed as the browser accepts it, and can be cached permanently', async () => {
    const path = await script();
    for (const [accepted, sent] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const { status, headers } = await get(path, { 'accept-encoding': accepted });
      assert.deepEqual([status, headers.get('content-encoding')], [200, sent]);
      assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
      assert.match(headers.get('vary') ?? '', /accept-encoding/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
    }
  });

  test('a document that has not changed gets 304 without a body', async () => {
    const etag = (await get('/login')).headers.get('etag') ?? '';
    // As a browser would request it; by default, fetch would ask for a fresh copy.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    assert.equal((await get('/login', headers)).status, 304);
  });

  test('a missing asset gets a 404 that is not cached', async () => {
    const { status, headers } = await get('/assets/none.js');
    assert.deepEqual([status, headers.get('cache-control')], [404, 'no-store']);
  });

  test('a path that leads out of the directory gets 400', async () => {
    assert.equal((await get('/assets/..%2f..%2fpackage.json')).status, 404);
  });

  test('methods that write get 405 on the pages', async () => {
    assert.equal((await fetch(`${app.address}/login`, { method: 'POST' })).status, 405);
  });
});

test('without a built dashboard, its pages get a 404 that says how to build it', async () => {
  const app = fastify() as unknown as App;
  assert.equal(dashboardRoutes(app, '/nowhere'), false);
  const { statusCode, body } = await app.inject('/organizations/org_x/usage');
  assert.equal(statusCode, 404);
  assert.match(body, /npm run build -w web/);
});
