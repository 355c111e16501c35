import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it, test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../src/http/app-types.ts';
import { cors } from '../../../src/http/plugins/cors.ts';
import { dashboardRoutes } from '../../../src/http/routes/dashboard.ts';
import { checkout, pages, tableUnder } from '../../docs/markdown.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const app = untilEnd(await listeningApp({ environment: { METRICS_TOKEN: 'a token' } }));
const origin = 'https://app.example.com';
const set = untilEnd(
  await listeningApp({
    environment: {
      PUBLIC_URL: 'https://embed.example.com',
      CORS_ORIGINS: `${origin},https://b.example.com`,
    },
  }),
);
const admin = await new Browser(app.address).signIn(app.administrator);
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { headers, redirect: 'manual' });
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
    for (let i = 0; i < 2; i += 1)
      await (await requestEmbeddings(app.address, app.key, 'metrics')).arrayBuffer();
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
    type Hourly = { name: string; value: number; hour: (number | null)[] };
    const [served, latency] = ['served', 'latency_p95'].map(
      (name) => data.find((one) => one.name === name) as Hourly,
    );
    // A new minute may have begun.
    assert.deepEqual([served?.value, served?.hour.length], [2, 60]);
    assert.equal(
      served?.hour.reduce((sum: number, count) => sum + (count ?? 0), 0),
      2,
    );
    assert.equal(
      latency?.hour.filter((ms) => ms === null).length,
      served?.hour.filter((count) => count === 0).length,
    );
    assert.match(text, /^embedgate_queue_tokens 0$/m);
    assert.match(text, /^te_batch_next_size_sum 1$/m);
    assert.match(text, /^te_request_inference_duration_count 1$/m);
    assert.ok(!text.includes(app.key) && !text.includes(app.orgId));
  });

  test('/metrics has the documented metrics, Grafana’s dashboard shows each, and the alert rules use no other', async () => {
    const page = pages().find(({ path }) => path === 'docs/metrics.md')!;
    const sections = ['Requests and quota', 'Connections and bounds', 'Cache', 'Queue and batches'];
    const documented = sections.flatMap((section) =>
      tableUnder(page, section).map(([name = '']) => name.replaceAll('`', '')),
    );
    const text = await (await getMetrics()).text();
    const served = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const own = served.filter((name) => !/^embedgate_(process|nodejs)_/.test(name));
    assert.deepEqual(documented.sort(), own.sort());
    const metricsIn = (file: string) =>
      [...readFileSync(`${checkout}/${file}`, 'utf8').matchAll(/\b(?:embedgate|te)_\w+/g)].map(
        ([name]) => name,
      );
    const used = metricsIn('deploy/prometheus-alerts.yaml');
    assert.ok(used.length > 5);
    for (const name of used) assert.ok(served.includes(name), name);
    const shown = metricsIn('docs/grafana.json').map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    for (const name of shown) assert.ok(served.includes(name), `not a metric: ${name}`);
    for (const name of [...documented, ...used])
      assert.ok(shown.includes(name), `not on the dashboard: ${name}`);
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

// A proxy in front may see the end of a request elsewhere than Node does. The service refuses every ambiguous
// request, and does not take the bytes after it for another request.

describe('requests with an ambiguous end', () => {
  const second = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';
  const bodies: Record<string, string> = {
    'a length and chunks': `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    'two lengths': `Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}   ${second}`,
    'a length that is not a number': `Content-Length: 2, 5\r\n\r\n{}   ${second}`,
    'a signed length': `Content-Length: +2\r\n\r\n{}${second}`,
    'chunks that are not the last encoding': `Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${second}`,
    'an encoding in disguise': `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    'a space before the colon': `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${second}`,
    'a folded header': `X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}${second}`,
    'a bare line feed': `Content-Length: 2\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
  };
  for (const [what, rest] of Object.entries(bodies)) {
    test(`a request with ${what} gets a single response, an error`, async () => {
      const received = await rawExchange(
        app.port,
        `POST /v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`,
      );
      assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, received.slice(0, 500));
      assert.match(received, /^HTTP\/1\.1 400 /);
      assert.doesNotMatch(received, /"version"/);
    });
  }
});

type Refusal = { status: number | undefined; message: string };

describe('the parts of a request that an error repeats', () => {
  const post = (path: string, headers: Record<string, string>, body: object) =>
    new Promise<Refusal>((resolve, reject) => {
      const { port } = app;
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, async (response) => {
        const { message } = JSON.parse(await text(response)) as { message: string };
        resolve({ status: response.statusCode, message });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });

  it('have at most 200 characters of a host or an origin', async () => {
    const { cookie } = admin;
    const long = `${'a'.repeat(60)}.`.repeat(100);
    const json = { 'content-type': 'application/json', cookie };
    for (const headers of [
      { ...json, host: `${long}example.com` },
      { ...json, host: 'example.com', origin: `https://${long}example.com` },
    ]) {
      const { status, message } = await post('/v1/organizations', headers, { name: 'x' });
      assert.equal(status, 403);
      assert.match(message, /^A request with a session must come from http/);
      assert.ok(message.length < 800, String(message.length));
    }
  });

  it('have no control characters of a model\u2019s name', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.key}` };
    const model = 'a\u001b[31m\u0000\r\n\u0085\u202eb';
    const { status, message } = await post('/v1/embeddings', headers, { input: 'x', model });
    assert.equal(status, 400);
    assert.ok(message.startsWith(`model "a\ufffd[31m${'\ufffd'.repeat(5)}b" is not served here`), message);
  });
});

describe('security headers', () => {
  test('responses of the API are not stored or sniffed, and bind the browser to TLS', async () => {
    const responses = [
      await requestEmbeddings(set.address, set.key, 'a text'),
      await fetch(`${set.address}/v1/usage`),
      await fetch(`${set.address}/v1/nowhere`),
      await fetch(`${set.address}/v1/organizations/%ff`),
      await fetch(`${set.address}/health`),
    ];
    for (const { url, headers } of responses) {
      assert.equal(headers.get('cache-control'), 'no-store', url);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', url);
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', url);
    }
    const malformed = await rawExchange(set.port, 'nonsense\r\n\r\n');
    assert.match(malformed, /\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n/);
  });

  test('without TLS, the response does not bind the browser to TLS', async () => {
    const { headers } = await fetch(`${app.address}/health`);
    assert.equal(headers.get('strict-transport-security'), null);
  });
});

const preflight = (app: ListeningApp, from: string) =>
  fetch(`${app.address}/v1/embeddings`, {
    method: 'OPTIONS',
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
const getFrom = (app: ListeningApp, path: string, from: string) =>
  fetch(app.address + path, { headers: { origin: from, authorization: `Bearer ${app.key}` } });

describe('calls from web pages of other origins, with CORS_ORIGINS', () => {
  test('a listed origin can call the API and read the rate-limit headers', async () => {
    const asked = await preflight(set, origin);
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-origin'), origin);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const response = await getFrom(set, '/v1/models', origin);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-ratelimit-remaining/);
  });

  test('a listed origin can read errors', async () => {
    const response = await getFrom(set, '/v1/nothing', origin);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
  });

  test('no response lets a page send cookies', async () => {
    for (const response of [await preflight(set, origin), await getFrom(set, '/v1/models', origin)]) {
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('responses to other origins do not name them', async () => {
    for (const other of ['https://evil.example.com', `${origin}.evil.com`, 'null']) {
      assert.equal((await preflight(set, other)).headers.get('access-control-allow-origin'), null);
      assert.equal(
        (await getFrom(set, '/v1/models', other)).headers.get('access-control-allow-origin'),
        null,
      );
    }
  });
});

test('without CORS_ORIGINS, no page of another origin can call the API, while programs can', async () => {
  assert.equal((await preflight(app, origin)).status, 405);
  assert.equal((await getFrom(app, '/v1/models', origin)).headers.get('access-control-allow-origin'), null);
  assert.equal((await requestEmbeddings(app.address, app.key, 'a text')).status, 200);
});

test('CORS_ORIGINS=* lets pages of all origins call with a key', async () => {
  const program = fastify();
  await cors(program as unknown as App, ['*']);
  const { headers } = await program.inject({ url: '/', headers: { origin } });
  assert.equal(headers['access-control-allow-origin'], '*');
});
