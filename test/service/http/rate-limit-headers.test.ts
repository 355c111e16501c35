import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const names = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

describe('the rate-limit headers of a request with a valid key', async () => {
  const app = untilEnd(await listeningApp());
  const authorization = `Bearer ${app.key}`;

  type Ask = { method?: string; path: string; headers?: Record<string, string>; body?: string };
  const json = { 'content-type': 'application/json' };
  const ask = ({ path, ...init }: Ask, key = authorization): Promise<Response> =>
    fetch(app.address + path, { ...init, headers: { ...init.headers, ...(key && { authorization: key }) } });
  const limitsOf = ({ headers }: Response) => names.map((name) => headers.get(name));
  const embeddings = { method: 'POST', path: '/v1/embeddings' };

  const asks: [status: number, what: string, ask: Ask][] = [
    [404, 'an unknown path', { path: '/nothing' }],
    [404, 'an unknown path under /v1', { method: 'POST', path: '/v1/nothing', headers: json, body: '{}' }],
    [404, 'another organization', { path: '/v1/organizations/019a0000-0000-7000-8000-000000000000' }],
    [405, 'another method of a known path', { method: 'DELETE', path: '/v1/embeddings' }],
    [400, 'a URL that cannot be decoded', { path: '/v1/organizations/%' }],
    [400, 'a body that is not JSON', { ...embeddings, headers: json, body: '{' }],
    [400, 'a body that validation refuses', { ...embeddings, headers: json, body: '{}' }],
    [401, 'a route for people', { path: '/v1/users' }],
    [403, 'a route that keys may not use', { method: 'DELETE', path: '/v1/organizations/ORG' }],
    [413, 'a body that is too large', { ...embeddings, headers: json, body: `"${'a'.repeat(5_000_000)}"` }],
    [415, 'another content type', { ...embeddings, headers: { 'content-type': 'text/plain' }, body: 'a' }],
    [
      400,
      'a sign-in without fields',
      { method: 'POST', path: '/v1/auth/sign-in', headers: json, body: '{}' },
    ],
    [200, 'a public route', { path: '/health' }],
    [200, 'the documentation', { path: '/openapi.json' }],
  ];
  for (const [status, what, asked] of asks) {
    test(`the ${status} for ${what} has the headers`, async () => {
      const path = asked.path.replace('ORG', app.orgId);
      const response = await ask({ ...asked, path });
      assert.equal(response.status, status);
      assert.deepEqual(limitsOf(response).slice(0, 2), ['10000', '10000']);
      assert.ok(limitsOf(response).every((value) => value !== null));
      if (status >= 400)
        assert.deepEqual(Object.keys((await response.json()) as object), ['error', 'message']);
      // Without a valid key, the same request reveals nothing about a quota.
      for (const key of ['', `Bearer sk_${'0'.repeat(64)}`]) {
        assert.deepEqual(limitsOf(await ask({ ...asked, path }, key)), [null, null, null, null, null]);
      }
    });
  }

  /** The rate-limit headers in a response that came over a raw socket. */
  const rawLimits = (answer: string): string[] =>
    answer
      .split('\r\n\r\n', 1)[0]!
      .split('\r\n')
      .map((line) => line.split(':', 1)[0]!.toLowerCase())
      .filter((name) => names.includes(name));
  const request = (...lines: string[]): string => [...lines, '', ''].join('\r\n');
  test('the 400 for a second content type has the headers, unless the key is unknown', async () => {
    const types = ['Content-Type: application/json', 'Content-Type: text/plain', 'Content-Length: 0'];
    const answerTo = (key: string) =>
      rawExchange(
        app.port,
        request('POST /nothing HTTP/1.1', 'Host: x', `Authorization: ${key}`, 'Connection: close', ...types),
      );
    const answer = await answerTo(authorization);
    assert.match(answer, /^HTTP\/1.1 400 [\s\S]*\r\nx-ratelimit-remaining: 10000\r\n/);
    assert.deepEqual(rawLimits(answer), names);
    assert.deepEqual(rawLimits(await answerTo(`Bearer sk_${'0'.repeat(64)}`)), []);
  });

  test('a request that got its response before its body gets no second one', async () => {
    const chunked = ['Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    // The body may turn out to be malformed before the key or the quota is known.
    for (const [statuses, line, ...headers] of [
      [/^HTTP\/1\.1 40[01]$/, 'POST /v1/embeddings HTTP/1.1'],
      [/^HTTP\/1\.1 40[04]$/, 'POST /nothing HTTP/1.1', `Authorization: ${authorization}`],
    ] as const) {
      const answer = await rawExchange(app.port, `${request(line, ...headers, ...chunked)}ZZZ\r\n`);
      const found = answer.match(/HTTP\/1\.1 \d+/g) ?? [];
      assert.equal(found.length, 1);
      assert.match(found[0], statuses);
    }
  });

  test('what is not HTTP behind a request in progress gets no response that could be taken for its own', async () => {
    const body = JSON.stringify({ input: Array.from({ length: 50 }, (_, i) => `pipelined ${i}`) });
    const first = request(
      'POST /v1/embeddings HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Authorization: ${authorization}`,
      `Content-Length: ${body.length}`,
    );
    assert.doesNotMatch(await rawExchange(app.port, `${first}${body}NONSENSE\r\n\r\n`), /not valid HTTP/);
  });

  test('a request with two Host headers or none gets the documented 400, and an expectation is ignored', async () => {
    const answer = await rawExchange(
      app.port,
      request('GET /v1/models HTTP/1.1', `Authorization: ${authorization}`, 'Connection: close'),
    );
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*"The header host is missing"/);
    assert.deepEqual(rawLimits(answer), names);
    const twice = request('GET /health HTTP/1.1', 'Host: x', 'Host: y', 'Connection: close');
    assert.match(
      await rawExchange(app.port, twice),
      /^HTTP\/1\.1 400 [\s\S]*"The header host appears more than once"/,
    );
    const expecting = request(
      'GET /v1/models HTTP/1.1',
      'Host: x',
      'Expect: more',
      `Authorization: ${authorization}`,
      'Connection: close',
    );
    assert.match(await rawExchange(app.port, expecting), /^HTTP\/1\.1 200 /);
  });

  test('a request with two keys gets no rate-limit headers', async () => {
    for (const path of ['/v1/embeddings', '/nothing']) {
      const answer = await rawExchange(
        app.port,
        request(
          `POST ${path} HTTP/1.1`,
          'Host: x',
          `Authorization: ${authorization}`,
          'Authorization: Bearer x',
          'Connection: close',
          'Content-Length: 0',
        ),
      );
      assert.deepEqual(rawLimits(answer), []);
    }
  });

  test('embeddings of a session have them too, also when the body is refused', async () => {
    const page = await new Browser(app.address).signIn(app.administrator);
    const path = `/v1/organizations/${app.orgId}/embeddings`;
    const refused: [status: number, body: unknown, headers?: Record<string, string>][] = [
      [400, {}],
      [400, { input: [] }],
      [415, 'text', { 'content-type': 'text/plain' }],
      [413, { input: 'a'.repeat(5_000_000) }],
      [200, { input: 'a text' }],
    ];
    for (const [status, body, headers] of refused) {
      const response = await page.send('POST', path, body, headers);
      assert.equal(response.status, status);
      assert.ok(
        limitsOf(response).every((value) => value !== null),
        String(status),
      );
    }
    const missing = await page.send(
      'POST',
      '/v1/organizations/019a0000-0000-7000-8000-000000000000/embeddings',
      {},
    );
    assert.equal(missing.status, 404);
    assert.deepEqual(limitsOf(missing), [null, null, null, null, null]);
  });
});
