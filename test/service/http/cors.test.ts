import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';

const origin = 'https://app.example.com';
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
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp({ environment: { CORS_ORIGINS: `${origin},https://b.example.com` } });
  });
  after(() => app[Symbol.asyncDispose]());

  test('a listed origin can call the API and read the rate-limit headers', async () => {
    const asked = await preflight(app, origin);
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-origin'), origin);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const response = await get(app, '/v1/models', origin);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-ratelimit-remaining/);
  });

  test('a listed origin can read errors', async () => {
    const response = await get(app, '/v1/nothing', origin);
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
  });

  test('no response lets a page send cookies', async () => {
    for (const response of [await preflight(app, origin), await get(app, '/v1/models', origin)]) {
      assert.equal(response.headers.get('access-control-allow-credentials'), null);
    }
  });

  test('responses to other origins do not name them', async () => {
    for (const other of ['https://evil.example.com', `${origin}.evil.com`, 'null']) {
      assert.equal((await preflight(app, other)).headers.get('access-control-allow-origin'), null);
      assert.equal((await get(app, '/v1/models', other)).headers.get('access-control-allow-origin'), null);
    }
  });
});

test('without CORS_ORIGINS, no page of another origin can call the API, while programs can', async () => {
  await using app = await listeningApp();
  assert.equal((await preflight(app, origin)).status, 405);
  assert.equal((await get(app, '/v1/models', origin)).headers.get('access-control-allow-origin'), null);
  assert.equal((await requestEmbeddings(app.address, app.key, 'a text')).status, 200);
});

test('CORS_ORIGINS=* lets pages of all origins call with a key', async () => {
  await using app = await listeningApp({ environment: { CORS_ORIGINS: '*' } });
  assert.equal((await get(app, '/v1/models', origin)).headers.get('access-control-allow-origin'), '*');
});
