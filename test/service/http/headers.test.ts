import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it, test } from 'node:test';
import fastify from 'fastify';
import type { App } from '../../../src/http/app-types.ts';
import { cors } from '../../../src/http/plugins/cors.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

// A proxy in front may see the end of a request elsewhere than Node does. The service refuses every ambiguous
// request, and does not take the bytes after it for another request.

const app = untilEnd(await listeningApp());
const origin = 'https://app.example.com';
const set = untilEnd(
  await listeningApp({
    environment: {
      PUBLIC_URL: 'https://embed.example.com',
      CORS_ORIGINS: `${origin},https://b.example.com`,
    },
  }),
);

describe('requests with an ambiguous end', () => {
  const second = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
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
      assert.doesNotMatch(received, /embedgate_requests_total/);
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
    const { cookie } = await new Browser(app.address).signIn(app.administrator);
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
const get = (app: ListeningApp, path: string, from: string) =>
  fetch(app.address + path, { headers: { origin: from, authorization: `Bearer ${app.key}` } });

describe('calls from web pages of other origins, with CORS_ORIGINS', () => {
  test('a listed origin can call the API and read the rate-limit headers', async () => {
    const asked = await preflight(set, origin);
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-origin'), origin);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const response = await get(set, '/v1/models', origin);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-ratelimit-remaining/);
  });

  test('a listed origin can read errors', async () => {
    const response = await get(set, '/v1/nothing', origin);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
  });

  test('no response lets a page send cookies', async () => {
    for (const response of [await preflight(set, origin), await get(set, '/v1/models', origin)]) {
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('responses to other origins do not name them', async () => {
    for (const other of ['https://evil.example.com', `${origin}.evil.com`, 'null']) {
      assert.equal((await preflight(set, other)).headers.get('access-control-allow-origin'), null);
      assert.equal((await get(set, '/v1/models', other)).headers.get('access-control-allow-origin'), null);
    }
  });
});

test('without CORS_ORIGINS, no page of another origin can call the API, while programs can', async () => {
  assert.equal((await preflight(app, origin)).status, 405);
  assert.equal((await get(app, '/v1/models', origin)).headers.get('access-control-allow-origin'), null);
  assert.equal((await requestEmbeddings(app.address, app.key, 'a text')).status, 200);
});

test('CORS_ORIGINS=* lets pages of all origins call with a key', async () => {
  const program = fastify();
  await cors(program as unknown as App, ['*']);
  const { headers } = await program.inject({ url: '/', headers: { origin } });
  assert.equal(headers['access-control-allow-origin'], '*');
});
