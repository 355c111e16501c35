import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';

describe('status and documentation', () => {
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp();
  });
  after(() => app[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(app.address + path, { headers });

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
    const texts = await Promise.all(Array.from({ length: 100 }, async () => (await get('/metrics')).text()));
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

  test('the Grafana dashboard uses only metrics that exist', async () => {
    const dashboard = readFileSync(new URL('../../../docs/grafana.json', import.meta.url), 'utf8');
    const names = new Set(dashboard.match(/\b(embedgate|te)_\w+/g));
    const text = await (await get('/metrics')).text();
    assert.ok(names.size >= 15);
    for (const name of names) {
      const family = name.replace(/_(bucket|sum|count)$/, '');
      assert.ok(text.includes(`# TYPE ${name} `) || text.includes(`# TYPE ${family} histogram`), name);
    }
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
    const response = await get('/metrics');
    const text = await response.text();
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(text, /^embedgate_requests_total\{route="\/v1\/embeddings",status="200"\} 2$/m);
    assert.match(text, /^embedgate_request_duration_seconds_count\{route="\/v1\/embeddings"\} 2$/m);
    assert.match(text, /^embedgate_cache_memory_hits_total 1$/m);
    assert.match(text, /^embedgate_queue_tokens 0$/m);
    assert.match(text, /^te_batch_next_size_sum 1$/m);
    assert.match(text, /^te_request_inference_duration_count 1$/m);
    assert.ok(!text.includes(app.key) && !text.includes(app.orgId));
  });

  test('/openapi.json describes every route, and /docs shows it', async () => {
    type Document = { openapi: string; paths: Record<string, object> };
    const routesOf = ({ paths }: Document): string[] =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
    const document = (await (await get('/openapi.json')).json()) as Document;
    assert.equal(document.openapi, '3.1.0');
    const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    assert.deepEqual(routesOf(document), routesOf(JSON.parse(committed)));
    for (const route of ['POST /v1/embeddings', 'GET /v1/organizations/{org_id}/keys', 'GET /ready']) {
      assert.ok(routesOf(document).includes(route), route);
    }
    const docs = await get('/docs');
    assert.equal(docs.status, 200);
    assert.match(await docs.text(), /swagger-ui/);
  });
});

test('METRICS_TOKEN is required for /metrics, and for nothing else', async () => {
  await using app = await listeningApp({ environment: { METRICS_TOKEN: 'a token' } });
  const statusOf = async (path: string, authorization?: string) =>
    (await fetch(app.address + path, { headers: authorization ? { authorization } : {} })).status;
  assert.equal(await statusOf('/metrics'), 401);
  assert.equal(await statusOf('/metrics', 'Bearer another token'), 401);
  assert.equal(await statusOf('/metrics', `Bearer ${app.key}`), 401);
  assert.equal(await statusOf('/metrics', 'Bearer a token'), 200);
  assert.equal(await statusOf('/ready'), 200);
});
