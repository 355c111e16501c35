import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../src/http/app-types.ts';
import { dashboardRoutes } from '../../../src/http/routes/dashboard.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const app = untilEnd(await listeningApp({ environment: { METRICS_TOKEN: 'a token' } }));
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { headers, redirect: 'manual' });
const admin = await new Browser(app.address).signIn(app.administrator);
const getMetrics = () => get('/metrics', { authorization: 'Bearer a token' });

describe('status and documentation', () => {
  test('/health is public and returns the time and the version', async () => {
    const response = await get('/health');
    const body = (await response.json()) as Record<string, string>;
    assert.deepEqual(Object.keys(body), ['status', 'time', 'version']);
    assert.equal(body.status, 'ok');
    assert.equal(new Date(body.time ?? '').toISOString(), body.time);
    assert.match(body.version ?? '', /^\d+\.\d+\.\d+/);
  });

  test('/ready says that the service can handle requests', async () => {
    const response = await get('/ready');
    assert.deepEqual([response.status, await response.json()], [200, { status: 'ready', not_ready: [] }]);
  });

  test('/metrics is rendered at most four times a second, for all who wait for it', async () => {
    const beganMs = performance.now();
    const texts = await Promise.all(Array.from({ length: 100 }, async () => (await getMetrics()).text()));
    const most = 2 + (performance.now() - beganMs) / 250;
    assert.ok(new Set(texts).size <= most, `${new Set(texts).size} renderings, at most ${most}`);
  });

  test('a caller’s own request id comes back, unless it could harm a log', async () => {
    assert.equal(
      (await get('/health', { 'x-request-id': 'trace-7' })).headers.get('x-request-id'),
      'trace-7',
    );
    const replaced = (await get('/health', { 'x-request-id': 'a"b {}' })).headers.get('x-request-id');
    assert.match(replaced ?? '', /^[0-9a-f-]{36}$/);
  });

  test('an administrator sees the figures of /metrics, under their names, and what has no metric', async () => {
    type Figure = { name: string; value: unknown; metric: string | null };
    const { data } = await admin.ask<{ data: Figure[] }>(200, 'GET', '/v1/service');
    const metrics = await (await getMetrics()).text();
    const numbers = data.filter(({ metric, value }) => metric !== null && typeof value === 'number');
    assert.ok(numbers.length >= 9);
    for (const { metric, value } of numbers.filter(({ name }) => name !== 'usage_records_waiting')) {
      assert.ok(metrics.includes(`\n${metric} ${value}\n`), `${metric} ${value}`);
    }
    const values = Object.fromEntries(data.map(({ name, value }) => [name, value]));
    const expected = {
      ready: true,
      database: 'sqlite',
      workers: 1,
      last_backup: 'never',
      alert_deliveries_failed_7d: 0,
    };
    assert.deepEqual({ ...values, ...expected }, values);
  });

  test('/metrics counts what happened, without naming a key or an organization', async () => {
    const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
    for (let i = 0; i < 2; i += 1) {
      const response = await fetch(`${app.address}/v1/embeddings`, {
        method: 'POST',
        headers,
        body: '{"input":"metrics"}',
      });
      await response.arrayBuffer();
    }
    const response = await getMetrics();
    const text = await response.text();
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(text, /^embedgate_requests_total\{route="\/v1\/embeddings",status="200"\} 2$/m);
    assert.match(text, /^embedgate_request_duration_seconds_count\{route="\/v1\/embeddings"\} 2$/m);
    assert.match(text, /^embedgate_cache_memory_hits_total 1$/m);
    const { data } = await admin.ask<{ data: { name: string; value: number }[] }>(200, 'GET', '/v1/service');
    const [p50 = 0, p95 = 0] = ['p50', 'p95'].map(
      (p) => data.find(({ name }) => name === `latency_${p}`)?.value,
    );
    assert.ok(p50 > 0 && p95 >= p50);
    assert.match(text, /^embedgate_queue_tokens 0$/m);
    assert.match(text, /^te_batch_next_size_sum 1$/m);
    assert.match(text, /^te_request_inference_duration_count 1$/m);
    assert.ok(!text.includes(app.key) && !text.includes(app.orgId));
  });

  test('METRICS_TOKEN is required for /metrics', async () => {
    for (const headers of [{}, { authorization: 'Bearer another' }, { authorization: `Bearer ${app.key}` }])
      assert.equal((await get('/metrics', headers as Record<string, string>)).status, 401);
  });

  test('/docs shows the routes', async () => {
    const docs = await get('/docs');
    assert.equal(docs.status, 200);
    assert.match(await docs.text(), /<h3 id="createEmbeddings">Embed texts<\/h3>/);
  });
});

describe('the dashboard’s files', () => {
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
  assert.equal(dashboardRoutes(app, '', '/nowhere'), false);
  const { statusCode, body } = await app.inject('/organizations/org_x/usage');
  assert.equal(statusCode, 404);
  assert.match(body, /npm run build -w web/);
});
