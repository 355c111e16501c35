import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { errorCodes } from '../../../src/errors.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { untilEnd } from '../../helpers/until-end.ts';

// Provokes every documented error the way a caller would. Only `internal_error` cannot be provoked.

describe('errors', async () => {
  const clock = stoppedClock();
  const provoked = new Set<string>();

  const directory = untilEnd(temporaryDirectory());
  const file = join(directory.path, 'embedgate.json');
  const model = 'all-MiniLM-L6-v2';
  writeFileSync(
    file,
    JSON.stringify({ models: [{ model }, { name: 'retired', model, sunset: '2001-01-31' }] }),
  );
  const environment = { EMBEDGATE_CONFIG: file };
  const app = untilEnd(await listeningApp({ clock, environment, bounds: { maxQueueTokens: 1_000 } }));

  const page = await new Browser(app.address).signIn(app.administrator);

  type Init = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };
  const post = (body: unknown, headers: Record<string, string> = {}): Init => ({
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });

  /** Returns the error of a request, after checking its shape and that it reveals nothing else. */
  const errorOf = async (init: Init, path = '/v1/embeddings') => {
    const response = await fetch(app.address + path, init);
    const body = (await response.json()) as { error: string; message: string };
    assert.deepEqual(Object.keys(body), ['error', 'message']);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.match(response.headers.get('x-request-id') ?? '', /^[\w-]{36}$/);
    assert.ok(!JSON.stringify(body).includes(app.key));
    provoked.add(body.error);
    return { status: response.status, ...body, headers: response.headers };
  };
  const refused = async (body: unknown, status: number, code: string, message: RegExp) => {
    const error = await errorOf(post(body));
    assert.equal(error.status, status, error.message);
    assert.equal(error.error, code);
    assert.match(error.message, message);
    return error;
  };

  test('each wrong field gets a 400 that names it', async () => {
    const cases: [unknown, RegExp][] = [
      [{}, /^input is missing/],
      [{ input: '' }, /^input must not be empty/],
      [{ input: [] }, /^input must not be empty/],
      [{ input: 5 }, /^input must be a string or an array/],
      [{ input: null }, /^input must be a string or an array/],
      [{ input: ['a', ''] }, /^input\[1\] must not be empty/],
      [{ input: ['a', null] }, /^input\[1\] must be a string/],
      [
        { input: Array.from({ length: 2_049 }, () => 'a') },
        /^input has 2049 texts, but a request can have at most 2048$/,
      ],
      [{ input: [[1, 2, -3]] }, /^input\[0\] must be a list of token ids$/],
      [{ input: [Array.from({ length: 65_537 }, () => 1)] }, /^input\[0\] has 65537 token ids, but/],
      [{ input: 'a', model: 'gpt-4' }, /^model "gpt-4" is not served here. Use "all-MiniLM-L6-v2"/],
      [{ input: 'a', model: 7 }, /^model must be a string/],
      [{ input: 'a', encoding_format: 'hex' }, /^encoding_format must be "float" or "base64"/],
      [{ input: 'a', dimensions: 0 }, /^dimensions must be a whole number of 1 or more/],
      [{ input: 'a', dimensions: 1.5 }, /^dimensions must be/],
      [{ input: 'a', dimensions: 385 }, /^dimensions must be 1 to 384/],
      [{ input: 'a', input_type: 'image' }, /^input_type must be "query" or "document"/],
      [{ input: 'a', truncate: 'no' }, /^truncate must be true or false/],
      [[1], /^The body must be a JSON object/],
      ['"text"', /^The body must be a JSON object/],
      ['null', /^The body must be a JSON object/],
      ['{"input": "a"', /^The body is not valid JSON$/],
      ['', /^The body is empty/],
      [`${'['.repeat(8_000)}${']'.repeat(8_000)}`, /^The body must be a JSON object/],
      [`{"input": ${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`, /^input must be a string or an array/],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, /^The body has more than 8,192 lists and objects,/],
      [
        `{"input": ["${'\\"['.repeat(30_000)}", ${'1,'.repeat(400_001)}1]}`,
        /^The body has more than 8,192 lists and objects, 16,384 names or 400,000 values/,
      ],
      [
        `{"input": "a", ${Array.from({ length: 16_384 }, (_, i) => `"k${i}": 1`).join()}}`,
        /^The body has more than 8,192 lists and objects, 16,384 names/,
      ],
      [`{"input": [${'{},'.repeat(8_192)}1]}`, /^The body has more than 8,192 lists and objects/],
      [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /^The body is not valid UTF-8$/],
    ];
    for (const [body, message] of cases) await refused(body, 400, 'invalid_request', message);
  });

  test('a text that is too long and may not be cut gets a 400 with its index and its tokens', async () => {
    const long = 'word '.repeat(255).trim();
    await refused(
      { input: ['short', long], truncate: false },
      400,
      'invalid_request',
      /input\[1\].*257 tokens.*256/,
    );
  });

  test('a retired model gets 410, and another fingerprint than expected 412', async () => {
    await refused(
      { input: 'a', model: 'retired' },
      410,
      'model_retired',
      /^retired was retired on 2001-01-31$/,
    );
    await refused({ input: 'a', expected_fingerprint: 'x' }, 412, 'fingerprint_mismatch', /expects .* "x"/);
  });

  test('a header that appears twice gets 400', async () => {
    const answer = await rawExchange(
      app.port,
      `POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nAuthorization: Bearer x\r\n` +
        'Content-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(answer, /"The header authorization appears more than once"/);
  });

  test('bytes that are not HTTP get a response all the same: 400 or 431', async () => {
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ]) {
      const answer = await rawExchange(app.port, bytes);
      assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\nx-request-id: /);
      assert.match(answer, /\{"error":"invalid_request","message":"The request is not valid HTTP"\}$/);
    }
    const headers = `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`;
    const answer = await rawExchange(app.port, headers);
    assert.match(answer, /^HTTP\/1.1 431 /);
    assert.match(
      answer,
      /"The request line and headers are larger than 16 KiB\. In a browser, delete the cookies/,
    );
    provoked.add((JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { error: string }).error);
  });

  test('a 401 always has the same message', async () => {
    const authorizations = [
      {},
      { authorization: 'Bearer sk_wrong' },
      { authorization: `Bearer sk_${'0'.repeat(64)}` },
    ];
    for (const headers of authorizations) {
      const error = await errorOf({ headers }, '/v1/models');
      assert.deepEqual(
        [error.status, error.error, error.message],
        [401, 'invalid_api_key', 'Invalid API key'],
      );
      assert.equal(error.headers.get('x-ratelimit-limit'), null);
      assert.equal(error.headers.get('www-authenticate'), 'Bearer');
    }
  });

  test('people get 401 without a session and 403 without the right', async () => {
    const headers = { authorization: `Bearer ${app.key}` };
    const ended = await errorOf({ headers: { 'sec-fetch-site': 'same-origin' } }, '/v1/users');
    assert.deepEqual([ended.status, ended.error], [401, 'not_signed_in']);
    const create = { method: 'POST', headers: { ...headers, ...json }, body: '{"name": "Acme"}' };
    const user = await errorOf(create, '/v1/organizations');
    assert.deepEqual([user.status, user.error], [403, 'forbidden']);
    const key = await errorOf({ method: 'DELETE', headers }, `/v1/organizations/${app.orgId}`);
    assert.deepEqual([key.status, key.error], [403, 'forbidden']);
    const guess = JSON.stringify({ email: app.administrator.email, password: 'wrong guess' });
    const wrong = await errorOf({ method: 'POST', headers: json, body: guess }, '/v1/auth/sign-in');
    assert.deepEqual([wrong.status, wrong.error], [401, 'invalid_credentials']);
    const missing = await errorOf({ method: 'POST', headers: json, body: '{}' }, '/v1/auth/sign-in');
    assert.deepEqual([missing.status, missing.message], [400, 'email is missing']);
    await page.ask(200, 'GET', '/v1/users');
  });

  test('a channel that the default settings do not allow gets a 400 that says why', async () => {
    for (const [kind, address, reason] of [
      ['email', 'ada@example.com', /SMTP_URL is not set/],
      ['webhook', 'http://127.0.0.1:9/hook', /private address/],
    ] as const) {
      const path = `/v1/organizations/${app.orgId}/alerts/targets`;
      const { message } = await page.ask<{ message: string }>(400, 'POST', path, { kind, address });
      assert.match(message, reason);
    }
  });

  const json = { 'content-type': 'application/json' };
  for (const [what, path, init, status, code, message] of [
    [
      'an unknown key',
      '/v1/embeddings',
      { method: 'POST', headers: json, body: '{' },
      401,
      'invalid_api_key',
      /^Invalid API key$/,
    ],
    [
      'no model that reranks',
      '/v1/rerank',
      post({ query: 'q', documents: ['d'] }),
      404,
      'not_found',
      /RERANK_MODEL/,
    ],
    ['an unknown route', '/nothing', {}, 404, 'not_found', /^No route GET \/nothing$/],
    ...['/v1/chat/completions', '/v1/completions', '/v1/responses', '/chat/completions'].map(
      (path) =>
        [
          `a request for a chat at ${path}`,
          path,
          post({ messages: [] }),
          404,
          'not_found',
          /^No route POST \S+\. Embedgate serves embeddings, no chat$/,
        ] as const,
    ),
    [
      'another method of a known path',
      '/v1/embeddings',
      { method: 'DELETE' },
      405,
      'method_not_allowed',
      /^DELETE is not supported here$/,
    ],
  ] as const)
    test(`${what} gets ${status}`, async () => {
      const error = await errorOf(init, path);
      assert.deepEqual([error.status, error.error], [status, code]);
      assert.match(error.message, message);
      assert.equal(error.headers.get('allow'), status === 405 ? 'POST' : null);
    });

  test('a client that is too slow gets 408, and its connection ends', async () => {
    const { load } = app.services;
    const { bounds } = load;
    Object.assign(load, { bounds: { ...bounds, bodyTimeoutMs: 300 } });
    const started = `POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"inp`;
    const answer = await rawExchange(app.port, started);
    Object.assign(load, { bounds });
    assert.match(answer, /^HTTP\/1.1 408 [\s\S]*\r\nx-ratelimit-remaining: 10000\r\n/);
    provoked.add((JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as { error: string }).error);
  });

  test('a body over the limit gets 413', async () => {
    const error = await refused(
      { input: 'a'.repeat(5_000_000) },
      413,
      'payload_too_large',
      /^The body is larger than 4,096 KiB \(MAX_BODY_KB\)\. Send fewer texts per request\.$/,
    );
    assert.equal(error.headers.get('x-ratelimit-remaining'), '10000');
  });

  test('after a 413, the connection stays if the body is sent to its end, and is cut off if the body is endless', async () => {
    const head = `POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\n`;
    const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const size = 5_000_000;
    const whole = await rawExchange(
      app.port,
      `${head}Content-Length: ${size}\r\n\r\n${'a'.repeat(size)}${next}`,
    );
    assert.deepEqual(whole.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200']);
    const endless = await rawExchange(app.port, `${head}Content-Length: ${100 * size}\r\n\r\nabc`);
    assert.match(endless, /^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i);
  });

  test('a missing or different content type gets 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const error = await errorOf(post('{"input":"a"}', { 'content-type': type }));
      assert.deepEqual([error.status, error.error], [415, 'unsupported_media_type']);
    }
  });

  test('a full queue gets 503 overloaded with Retry-After, and does not count', async () => {
    const before = await used();
    const ask = async (request: number) => {
      const input = Array.from(
        { length: 10 },
        (_, i) => `of four such requests only one fits: ${request} ${i}`,
      );
      return fetch(`${app.address}/v1/embeddings`, post({ input }));
    };
    // The first one to be admitted keeps its room until the others have been refused.
    const { ledger } = app.services.stores;
    const { flush } = ledger;
    const mayCount = Promise.withResolvers<void>();
    ledger.flush = async (entries) => {
      await mayCount.promise;
      return flush(entries);
    };
    let refusals = 0;
    const asked = [0, 1, 2, 3].map(async (request) => {
      const response = await ask(request);
      if (response.status === 503) refusals += 1;
      return response;
    });
    await eventually(() => refusals === 3).finally(() => {
      ledger.flush = flush;
      mayCount.resolve();
    });
    const responses = await Promise.all(asked);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 503, 503, 503]);
    for (const response of responses.filter(({ status }) => status === 503)) {
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(response.headers.get('x-ratelimit-limit'), '10000');
      const { error } = (await response.json()) as { error: string };
      assert.equal(error, 'overloaded');
      provoked.add(error);
    }
    assert.equal(await used(), before + 1);
  });

  test('a used-up quota gets a 429 that tells OpenAI’s SDKs not to retry, while cached responses continue', async () => {
    const { organizations } = app.services;
    assert.equal((await fetch(`${app.address}/v1/embeddings`, post({ input: 'known' }))).status, 200);
    await organizations.setTier(app.orgId, 'enterprise', { amount: await used(), window: 'month' });
    const error = await refused(
      { input: 'unknown' },
      429,
      'rate_limit_exceeded',
      /^Monthly quota exhausted. Resets on \d{4}-\d\d-01T00:00:00Z$/,
    );
    const resetMs = Date.parse(error.headers.get('x-ratelimit-reset') ?? '');
    assert.equal(error.headers.get('x-ratelimit-remaining'), '0');
    assert.equal(error.headers.get('x-should-retry'), 'false');
    const retryAfterMs = Number(error.headers.get('retry-after')) * 1_000;
    assert.equal(clock.now() + retryAfterMs, resetMs);
    const known = await fetch(`${app.address}/v1/embeddings`, post({ input: 'known' }));
    assert.equal(((await known.json()) as { cached: boolean }).cached, true);

    await organizations.setTier(app.orgId, 'enterprise', { amount: 0, window: 'second' });
    const perSecond = await refused(
      { input: 'unknown' },
      429,
      'rate_limit_exceeded',
      /^Rate limit exceeded. Resets on /,
    );
    assert.equal(perSecond.headers.get('x-should-retry'), null);
    assert.match(perSecond.headers.get('ratelimit-policy') ?? '', /^"secondly";q=0;w=1$/);
    await organizations.setTier(app.orgId, 'free', null);
  });

  test('the same error comes in OpenAI’s shape on request', async () => {
    const response = await fetch(
      `${app.address}/v1/embeddings`,
      post({ input: '' }, { 'x-error-format': 'openai' }),
    );
    assert.deepEqual(await response.json(), {
      error: {
        message: 'input must not be empty',
        type: 'invalid_request_error',
        param: 'input',
        code: 'invalid_request',
      },
    });
    const unauthorized = await fetch(`${app.address}/v1/models`, { headers: { 'x-error-format': 'openai' } });
    assert.deepEqual(await unauthorized.json(), {
      error: {
        message: 'Invalid API key',
        type: 'authentication_error',
        param: null,
        code: 'invalid_api_key',
      },
    });
  });

  test('OpenAI’s SDKs get OpenAI’s shape without asking for it, and other clients do not', async () => {
    const shapeFor = async (headers: Record<string, string>) => {
      const response = await fetch(`${app.address}/v1/embeddings`, post({ input: '' }, headers));
      return typeof ((await response.json()) as { error: unknown }).error;
    };
    const sdks: Record<string, string>[] = [
      { 'user-agent': 'OpenAI/Python 3.54.0', 'x-stainless-lang': 'python' },
      { 'user-agent': 'AsyncOpenAI/Python 3.54.0' },
      { 'user-agent': 'OpenAI/JS 6.49.0' },
      { 'user-agent': 'OpenAI/Go 3.96.0' },
      { 'user-agent': 'OpenAIClientImpl/Java 4.101.0' },
      { 'user-agent': 'litellm/1.106', 'x-stainless-lang': 'python' },
    ];
    for (const headers of sdks) assert.equal(await shapeFor(headers), 'object', headers['user-agent']);
    for (const headers of [{ 'user-agent': 'curl/8.5.0' }, { 'user-agent': 'python-requests/2.32' }, {}]) {
      assert.equal(await shapeFor(headers), 'string');
    }
    assert.equal(await shapeFor({ ...sdks[0], 'x-error-format': 'flat' }), 'string');
  });

  test('a database that another process has locked gets 503 unavailable, and nothing is counted or lost', async () => {
    const before = await used();
    const other = secondConnection(app.dataDir);
    other.exec('BEGIN IMMEDIATE');
    const error = await errorOf(post({ input: 'with the database away' }));
    assert.deepEqual([error.status, error.error], [503, 'unavailable']);
    assert.equal(error.headers.get('retry-after'), '1');
    assert.equal(error.headers.get('x-ratelimit-limit'), '10000');
    const ready = await fetch(`${app.address}/ready`);
    const { status, not_ready: parts } = (await ready.json()) as { status: string; not_ready: string[] };
    // On a busy machine, the flush takes so long to fail that the quota is not ready either.
    const others = parts.filter((part) => part !== 'quota');
    assert.deepEqual([ready.status, status, others], [503, 'not_ready', ['database']]);
    other.exec('ROLLBACK');
    other.close();
    assert.equal(await used(), before);
    assert.equal(
      (await fetch(`${app.address}/v1/embeddings`, post({ input: 'with the database back' }))).status,
      200,
    );
    assert.equal((await fetch(`${app.address}/ready`)).status, 200);
  });

  test('every documented error was provoked', () => {
    const withoutAWayIn = ['internal_error'];
    assert.deepEqual([...provoked].sort(), errorCodes.filter((code) => !withoutAWayIn.includes(code)).sort());
  });

  async function used(): Promise<number> {
    return (await app.services.ledger.readStanding(app.orgId)).used;
  }
});
