import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { rawExchange } from '../../helpers/raw-http.ts';
import { postEmbeddings, requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Limit = {
  limit_id: string;
  key_id: string | null;
  set_by: string;
  unit: string;
  amount: number;
  used: number;
};

const clock = stoppedClock();
const app = untilEnd(await listeningApp({ clock }));
const administrator = await new Browser(app.address).signIn(app.administrator);
const { users, members, organizations, keys, ledger, limits } = app.services;
const { user, password } = await users.create({ email: 'owner@example.com' });
await members.add(app.orgId, user.userId, 'owner');
const owner = await new Browser(app.address).signIn({ email: user.email, password });

describe('limits', () => {
  const path = `/v1/organizations/${app.orgId}/limits`;
  const embed = (key: string, ...input: string[]) => requestEmbeddings(app.address, key, input);
  const newKey = () => keys.create({ orgId: app.orgId, userId: 'user', name: 'limited' });

  it('refuse a request that exceeds one, name it, and list all policies in the headers', async () => {
    const { key, secret } = await newKey();
    const limit = { key_id: key.keyId, unit: 'texts', window: 'day', amount: 3 };
    await owner.ask(201, 'POST', path, limit);
    const granted = await embed(secret, 'one text', 'another text');
    assert.equal(granted.status, 200);
    assert.match(
      granted.headers.get('ratelimit-policy') ?? '',
      /^"monthly";q=\d+;w=\d+, "key-texts-daily";q=3;qu="texts";w=86400$/,
    );
    assert.match(
      granted.headers.get('ratelimit') ?? '',
      /^"monthly";r=\d+;t=\d+, "key-texts-daily";r=1;t=\d+$/,
    );
    const used = granted.headers.get('x-ratelimit-remaining');

    const refused = await embed(secret, 'a third text', 'a fourth text');
    assert.equal(refused.status, 429);
    const { message } = (await refused.json()) as { message: string };
    assert.match(message, /^Text limit per day exceeded for this key\. Resets on \d{4}-\d\d-\d\dT00:00:00Z$/);
    assert.ok(Number(refused.headers.get('retry-after')) <= 86_400);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), used);

    assert.equal(
      (await embed(secret, 'one text', 'another text')).status,
      200,
      'cached texts count in no limit',
    );
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key.keyId}`);
    assert.deepEqual(
      data.map(({ used }) => used),
      [2],
    );
    assert.equal((await embed(secret, '1', '2', '3', '4')).status, 400, 'four texts never fit');
  });

  it('of a member count the requests of their keys, and their own', async () => {
    const { user_id } = await owner.ask<{ user_id: string }>(200, 'GET', '/v1/me');
    const { key } = await owner.ask<{ key: string }>(201, 'POST', `/v1/organizations/${app.orgId}/keys`, {
      name: 'own',
    });
    await owner.ask(201, 'POST', path, { user_id, unit: 'texts', window: 'day', amount: 2 });
    const first = await embed(key, 'by the key of a member');
    assert.match(first.headers.get('ratelimit') ?? '', /"user-texts-daily";r=1;t=\d+$/);
    await owner.ask(200, 'POST', `/v1/organizations/${app.orgId}/embeddings`, { input: 'by the member' });
    assert.equal((await embed(key, 'one more')).status, 429);
    await owner.ask(429, 'POST', `/v1/organizations/${app.orgId}/embeddings`, { input: 'one more' });
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?user_id=${user_id}`);
    assert.deepEqual(
      data.map(({ used }) => used),
      [2],
    );
    await owner.ask(204, 'DELETE', `${path}/${data[0]!.limit_id}`);
  });

  it('for new keys are copied to each key that is created', async () => {
    const template = { applies_to: 'new_keys', unit: 'requests', window: 'day', amount: 1 };
    const { limit_id: id } = await owner.ask<Limit>(201, 'POST', path, template);
    const { key_id, key } = await owner.ask<{ key_id: string; key: string }>(
      201,
      'POST',
      `/v1/organizations/${app.orgId}/keys`,
      { name: 'new' },
    );
    assert.equal((await embed(key, 'the first of a new key')).status, 200);
    assert.equal((await embed(key, 'the second of a new key')).status, 429);
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key_id}`);
    assert.deepEqual(
      data.map(({ used, amount }) => [used, amount]),
      [[1, 1]],
    );
    await owner.ask(204, 'DELETE', `${path}/${id}`);
    const { data: left } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?applies_to=new_keys`);
    assert.deepEqual(left, []);
  });

  it('count the exact tokens of a model that runs here', async () => {
    const { key, secret } = await newKey();
    await owner.ask(201, 'POST', path, {
      key_id: key.keyId,
      unit: 'tokens',
      window: 'month',
      amount: 10_000,
    });
    const response = await embed(secret, 'How many tokens does this sentence have?', 'And this one?');
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key.keyId}`);
    assert.equal(data[0]?.used, usage.prompt_tokens);
  });

  it('of an organization are changed by administrators, those of its keys by its owners too', async () => {
    const limit = { unit: 'requests', window: 'hour', amount: 1_000 };
    await owner.ask(403, 'POST', path, limit);
    const { limit_id: id } = await administrator.ask<Limit>(201, 'POST', path, limit);
    await owner.ask(403, 'PATCH', `${path}/${id}`, { amount: 2_000 });
    await owner.ask(403, 'DELETE', `${path}/${id}`);
    const changed = await administrator.ask<Limit>(200, 'PATCH', `${path}/${id}`, { amount: 2_000 });
    assert.equal(changed.amount, 2_000);
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', path);
    assert.deepEqual(
      data.map(({ limit_id }) => limit_id),
      [id],
    );
    await administrator.ask(204, 'DELETE', `${path}/${id}`);
    await administrator.ask(404, 'DELETE', `${path}/${id}`);
  });

  it('of a key that the operator has set stay as they are for its owners, beside their own', async () => {
    const { key, secret } = await keys.create({ orgId: app.orgId, userId: null, name: 'limited by two' });
    const limit = { key_id: key.keyId, unit: 'requests', window: 'hour', amount: 10 };
    const { limit_id: id, set_by } = await administrator.ask<Limit>(201, 'POST', path, limit);
    assert.equal(set_by, 'operator');
    for (const [method, body] of [['PATCH', { amount: 20 }], ['DELETE']] as const)
      await owner.ask(403, method, `${path}/${id}`, body);
    const own = await owner.ask<Limit>(201, 'POST', path, { ...limit, amount: 20 });
    assert.equal(
      (await owner.ask<Limit>(201, 'POST', path, { ...limit, amount: 30 })).limit_id,
      own.limit_id,
    );
    const { data } = await owner.ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key.keyId}`);
    assert.deepEqual(
      data.map(({ amount, set_by }) => [amount, set_by]),
      [
        [10, 'operator'],
        [30, 'organization'],
      ],
    );
    const { headers } = await requestEmbeddings(app.address, secret, 'one of ten');
    assert.equal(
      headers
        .get('ratelimit')
        ?.match(/"key-requests-hourly";r=\d+/g)
        ?.join(),
      '"key-requests-hourly";r=9',
    );
    await administrator.ask(200, 'PATCH', `${path}/${own.limit_id}`, { amount: 40 });
    await owner.ask(204, 'DELETE', `${path}/${own.limit_id}`);
  });

  it('are refused with what is wrong', async () => {
    const valid = { unit: 'requests', window: 'hour', amount: 5 };
    for (const wrong of [{ unit: 'bytes' }, { window: 'year' }, { amount: 0 }, { amount: 1.5 }]) {
      await administrator.ask(400, 'POST', path, { ...valid, ...wrong });
    }
    await administrator.ask(404, 'POST', path, {
      ...valid,
      key_id: '01a19672-0b1c-7a8a-a3f6-5a2f0c3f3c11',
    });
    const { limit_id: id } = await administrator.ask<Limit>(201, 'POST', path, valid);
    await administrator.ask(204, 'DELETE', `${path}/${id}`);
  });
});

const names = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
];

describe('the rate-limit headers of a request with a valid key', async () => {
  const { orgId } = await organizations.create({ name: 'Acme' });
  const { secret } = await keys.create({ orgId, userId: 'u', name: 'k' });
  const authorization = `Bearer ${secret}`;

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
    [403, 'a route for people', { path: '/v1/users' }],
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
      const path = asked.path.replace('ORG', orgId);
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

  test('rate limit headers have integers that a structured field can hold', async () => {
    const { orgId } = await organizations.create({ name: 'Acme', tier: 'enterprise' });
    const { secret } = await keys.create({ orgId, userId: 'ada', name: 'k' });
    const { headers } = await ask({ path: '/v1/models' }, `Bearer ${secret}`);
    assert.match(headers.get('ratelimit') ?? '', /r=999999999999999/);
    for (const name of ['ratelimit', 'ratelimit-policy'])
      for (const digits of headers.get(name)?.match(/\d+/g) ?? []) assert.ok(digits.length <= 15, digits);
  });

  test('embeddings of a session have them too, also when the body is refused', async () => {
    const path = `/v1/organizations/${orgId}/embeddings`;
    const refused: [status: number, body: unknown, headers?: Record<string, string>][] = [
      [400, {}],
      [400, { input: [] }],
      [415, 'text', { 'content-type': 'text/plain' }],
      [413, { input: 'a'.repeat(5_000_000) }],
      [200, { input: 'a text' }],
    ];
    for (const [status, body, headers] of refused) {
      const response = await administrator.send('POST', path, body, headers);
      assert.equal(response.status, status);
      assert.ok(
        limitsOf(response).every((value) => value !== null),
        String(status),
      );
    }
    const missing = await administrator.send(
      'POST',
      '/v1/organizations/019a0000-0000-7000-8000-000000000000/embeddings',
      {},
    );
    assert.equal(missing.status, 404);
    assert.deepEqual(limitsOf(missing), [null, null, null, null, null]);
  });
});

describe('a limit that paces', () => {
  /** An organization with a limit of requests, and some keys. */
  const limited = async (amount: number, window: 'second' | 'minute', maxWaitMs: number, keyCount = 1) => {
    const { orgId } = await organizations.create({ name: 'Paced', tier: 'scale' });
    const limit = await limits.add(orgId, { keyId: null, unit: 'requests', window, amount, maxWaitMs });
    const created = Array.from({ length: keyCount }, () => keys.create({ orgId, userId: 'u', name: 'key' }));
    return { orgId, limit, secrets: (await Promise.all(created)).map(({ secret }) => secret) };
  };
  let texts = 0;
  const send = (key: string) => requestEmbeddings(app.address, key, `text ${texts++}`);
  const used = async (orgId: string) => (await ledger.readStanding(orgId)).used;
  /** Long enough for a request to reach the queue, where nothing happens while the clock stands still. */
  const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
  const waiting = (orgId: string, count: number) =>
    eventually(async () => (await ledger.readStanding(orgId)).used >= count);

  it('lets requests wait for the next windows, and counts exactly what each allows', async () => {
    const { orgId, secrets } = await limited(3, 'second', 10_000);
    const statuses: number[] = [];
    const all = Array.from({ length: 10 }, async () => statuses.push((await send(secrets[0]!)).status));
    for (const counted of [3, 6, 9, 10]) {
      await waiting(orgId, counted);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(await used(orgId), counted);
      clock.advance(1_000);
    }
    await Promise.all(all);
    assert.deepEqual(statuses, Array(10).fill(200));
  });

  it('refuses at once what would have to wait longer than it may', async () => {
    const { orgId, secrets } = await limited(1, 'minute', 5_000);
    clock.set('2025-11-21T13:00:10Z');
    assert.equal((await send(secrets[0]!)).status, 200);
    const refused = await send(secrets[0]!);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '50');
    assert.equal(await used(orgId), 1);
  });

  it('takes no unit for a client that has disconnected while it waited', async () => {
    const { orgId, secrets } = await limited(1, 'second', 30_000);
    assert.equal((await send(secrets[0]!)).status, 200);
    const leaving = new AbortController();
    const left = postEmbeddings(app.address, secrets[0]!, { input: 'left' }, leaving.signal);
    await pause();
    const next = send(secrets[0]!);
    await pause();
    leaving.abort();
    await assert.rejects(left);
    await pause();
    clock.advance(1_000);
    assert.equal((await next).status, 200);
    assert.equal(await used(orgId), 2);
  });

  it('lets requests go on soon after it was removed', async () => {
    const { orgId, limit, secrets } = await limited(1, 'minute', 60_000);
    assert.equal((await send(secrets[0]!)).status, 200);
    const waited = send(secrets[0]!);
    await pause();
    await limits.remove(orgId, limit.limitId);
    clock.advance(1_000);
    assert.equal((await waited).status, 200);
  });

  it('grants a large request in its turn, although small ones keep coming', async () => {
    const { orgId, limit, secrets } = await limited(10, 'second', 60_000, 2);
    await limits.remove(orgId, limit.limitId);
    const texts = { keyId: null, unit: 'texts', window: 'second', amount: 10, maxWaitMs: 60_000 } as const;
    await limits.add(orgId, texts);
    let granted = 0;
    const small = () => send(secrets[0]!).then(() => (granted += 1));
    for (let i = 0; i < 15; i += 1) void small();
    await waiting(orgId, 10);
    const large = postEmbeddings(app.address, secrets[1]!, {
      input: Array.from({ length: 10 }, (_, i) => `large ${i}`),
    });
    await pause();
    for (let i = 0; i < 10; i += 1) void small();
    await pause();
    let grantedBefore: number | undefined;
    void large.then(() => {
      grantedBefore = granted;
    });
    while (granted < 25 || grantedBefore === undefined) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    assert.equal((await large).status, 200);
    assert.ok(grantedBefore < 25, `granted after ${grantedBefore} small requests`);
  });

  it('can be set only for windows of a second or a minute', async () => {
    const limit = { keyId: null, unit: 'texts', window: 'hour', amount: 5, maxWaitMs: 1_000 } as const;
    await assert.rejects(limits.add(app.orgId, limit), { param: 'max_wait_seconds' });
  });
});
