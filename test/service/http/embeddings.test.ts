import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, test } from 'node:test';
import { batchTurns } from '../../../src/load/event-loop.ts';
import { listeningApp } from '../../helpers/app.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { UpstreamServer } from '../../helpers/upstream-server.ts';

const dayMs = 86_400_000;
const builtin = 'all-MiniLM-L6-v2';
const long = 'word '.repeat(300);

interface Answer {
  data: { embedding: number[] }[];
  fingerprint: string;
  truncated: number[];
  cached: boolean;
  error: string;
  message: string;
}

const directory = untilEnd(temporaryDirectory());
const server = untilEnd(new UpstreamServer());
await server.listen();
const clock = new TestClock('2026-11-21T03:00:00Z');
const day = (days: number) => new Date(clock.now() + days * dayMs).toISOString().slice(0, 10);
const [yesterday, soon] = [day(-1), day(30)];
const plans = { deprecated: yesterday, sunset: soon, replacement: builtin };
const models = [
  { model: builtin, workers: 1 },
  { name: 'old', model: builtin, workers: 1, ...plans },
  { name: 'theirs', upstream: { urls: [server.url], model: 'theirs', dimensions: 8, max_tokens: 64 } },
];
const file = join(directory.path, 'embedgate.json');
writeFileSync(file, JSON.stringify({ models }));
const environment = { EMBEDGATE_CONFIG: file };
const app = untilEnd(await listeningApp({ clock, environment }));

describe('the cache of an organization', () => {
  const embed = async (input: string, key = app.key, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ input, encoding_format: 'base64' }),
    });
    assert.equal(response.status, 200);
    const { data, cached } = (await response.json()) as { data: { embedding: string }[]; cached: boolean };
    return { cached, bytes: Buffer.from(data[0]!.embedding, 'base64') };
  };
  /** Whether the database of vectors has these bytes anywhere, also in its log. */
  const isStored = (bytes: Buffer) =>
    ['cache.db', 'cache.db-wal'].some((name) =>
      readFileSync(join(app.dataDir, name)).includes(bytes.subarray(0, 64)),
    );

  const isInDatabase = (text: string) => {
    const path = join(app.dataDir, 'embedgate.db');
    using database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint');
    return readFileSync(path).includes(text);
  };

  it('no-store keeps no vector, no-cache computes each again', async () => {
    const noStore = { 'cache-control': 'no-store' };
    const noCache = { 'cache-control': 'max-age=0, No-Cache' };
    assert.equal((await embed('secret', app.key, noStore)).cached, false);
    assert.equal((await embed('secret')).cached, false, 'it was not kept');
    assert.equal((await embed('secret', app.key, noStore)).cached, true);
    assert.equal((await embed('secret', app.key, noCache)).cached, false);
    assert.equal((await embed('fresh', app.key, noCache)).cached, false);
    assert.equal((await embed('fresh')).cached, true);
  });

  it('is encrypted on disk, and unreadable once it is purged or the organization deleted', async () => {
    const { bytes } = await embed('on disk');
    await eventually(() => {
      using database = new DatabaseSync(join(app.dataDir, 'cache.db'), { readOnly: true });
      return Number(database.prepare(`SELECT count(*) AS n FROM vectors /* a test's own */`).get()?.n) === 4;
    });
    assert.equal(isStored(bytes), false);
    const { orgId } = await app.services.organizations.create({ name: 'Other', tier: 'free' });
    const { secret } = await app.services.keys.create({ orgId, userId: 'u', name: 'k' });
    assert.equal((await embed('on disk', secret)).cached, false);
    const cacheSecret = await app.services.organizations.cacheSecret(app.orgId);
    assert.equal(isInDatabase(cacheSecret), true);
    await app.services.organizations.purgeVectors(app.orgId);
    assert.equal(isInDatabase(cacheSecret), false);
    assert.equal((await embed('on disk')).cached, false);
    assert.equal((await embed('on disk', secret)).cached, true, 'of another organization');
    const path = `/v1/organizations/${app.orgId}/vectors`;
    const headers = { authorization: `Bearer ${app.key}` };
    const refused = await fetch(app.address + path, { method: 'DELETE', headers });
    assert.equal(refused.status, 403, 'a key may not purge');
    const gone = await app.services.organizations.cacheSecret(orgId);
    assert.equal(isInDatabase(gone), true);
    await app.services.organizations.delete(orgId);
    assert.equal(isInDatabase(gone), false);
  });
});

describe('vectors know where they come from', () => {
  const send = (body: object, headers: Record<string, string> = {}, path = '/v1/embeddings') =>
    fetch(app.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const embed = async (body: object, headers: Record<string, string> = {}) => {
    const response = await send(body, headers);
    return { status: response.status, headers: response.headers, ...((await response.json()) as Answer) };
  };
  const used = async () => (await app.services.ledger.readStanding(app.orgId)).used;
  const fingerprint = app.services.models.default.served.model.fingerprint;

  it('every response states the fingerprint of its model, as the list of models does', async () => {
    for (const cached of [false, true]) {
      const answer = await embed({ input: 'whose' });
      assert.deepEqual([answer.fingerprint, answer.cached], [fingerprint, cached]);
      assert.equal(answer.headers.get('x-embedding-fingerprint'), fingerprint);
    }
    for (const [path, body] of [
      ['/embed', { inputs: 'whose' }],
      ['/v2/embed', { texts: ['whose'] }],
      ['/api/embed', { model: builtin, input: 'whose' }],
    ] as const)
      assert.equal((await send(body, {}, path)).headers.get('x-embedding-fingerprint'), fingerprint, path);
    const headers = { authorization: `Bearer ${app.key}` };
    const listed = (await (await fetch(`${app.address}/v1/models`, { headers })).json()) as {
      data: { id: string; fingerprint: string }[];
    };
    assert.equal(listed.data.find(({ id }) => id === builtin)?.fingerprint, fingerprint);
  });

  it('a request that expects another fingerprint gets 412 with both, and nothing is computed or counted', async () => {
    const before = await used();
    for (const [body, headers] of [
      [{ expected_fingerprint: 'other' }, {}],
      [{}, { 'x-expected-fingerprint': 'other' }],
      [{ expected_fingerprint: fingerprint }, { 'x-expected-fingerprint': 'other' }],
    ] as const) {
      const refused = await embed({ input: 'never computed', ...body }, headers);
      assert.deepEqual([refused.status, refused.error], [412, 'fingerprint_mismatch']);
      assert.match(refused.message, new RegExp(`"other", but ${builtin} has ${fingerprint} here`));
    }
    const openai = await send({ input: 'x', expected_fingerprint: 'other' }, {}, '/openai/v1/embeddings');
    const { error } = (await openai.json()) as { error: { code: string } };
    assert.deepEqual([openai.status, error.code], [412, 'fingerprint_mismatch']);
    assert.equal(await used(), before);
    const answer = await embed({ input: 'never computed', expected_fingerprint: fingerprint });
    assert.deepEqual([answer.status, answer.cached], [200, false]);
  });

  it('texts that were cut are reported by index and number, also from the cache, and in usage', async () => {
    for (const cached of [false, true]) {
      const answer = await embed({ input: ['short', long, 'also short', `${long}!`] });
      assert.deepEqual([answer.truncated, answer.cached], [[1, 3], cached]);
      assert.equal(answer.headers.get('x-embedding-truncated'), '2');
    }
    const whole = await embed({ input: 'short' });
    assert.deepEqual([whole.truncated, whole.headers.get('x-embedding-truncated')], [[], null]);
    const usage = (await (
      await fetch(`${app.address}/v1/usage`, { headers: { authorization: `Bearer ${app.key}` } })
    ).json()) as { totals: { truncated: number } };
    assert.equal(usage.totals.truncated, 4);
  });

  it('texts that are cut for an upstream are reported too', async () => {
    const answer = await embed({ input: ['short', long], model: 'theirs' });
    assert.deepEqual(answer.truncated, [1]);
  });

  it('a deprecated model says so until its sunset, and is then refused with its replacement', async () => {
    const answer = await embed({ input: 'old', model: 'old' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('deprecation'), `@${Date.parse(yesterday) / 1_000}`);
    assert.equal(answer.headers.get('sunset'), new Date(soon).toUTCString());
    assert.equal((await embed({ input: 'new' })).headers.get('deprecation'), null);
    const list = async (path: string) => {
      const headers = { authorization: `Bearer ${app.key}` };
      const body = (await (await fetch(app.address + path, { headers })).json()) as { data: object[] };
      return body.data;
    };
    const counted = { counted: 1, counted_texts: 1, counted_tokens: 3, cost: 0 };
    const figures = { ...counted, cached: 0, failed: 0, texts: 1, tokens: 3, truncated: 0 };
    for (const path of [`/v1/organizations/${app.orgId}/usage/deprecated`, '/v1/usage/deprecated']) {
      const [row] = (await list(path)) as Record<string, unknown>[];
      const { key_id: _, name, org_name: orgName, ...rest } = row!;
      assert.deepEqual([typeof name, typeof orgName], ['string', 'string']);
      assert.deepEqual(rest, { model: 'old', ...plans, org_id: app.orgId, last_day: day(0), ...figures });
    }
    clock.advance(31 * dayMs);
    const refused = await embed({ input: 'old', model: 'old' });
    assert.deepEqual([refused.status, refused.error], [410, 'model_retired']);
    assert.equal((await send({ input: 'x', model: 'old' }, {}, '/v1/tokenize')).status, 410);
    assert.equal((await send({ texts: ['x'], model: 'old' }, {}, '/v2/embed')).status, 410);
    assert.equal(refused.message, `old was retired on ${soon}. Use ${builtin} instead`);
    assert.equal((await embed({ input: 'old' })).status, 200);
  });
});

type Embeddings = {
  object: string;
  data: { object: string; index: number; embedding: number[] }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
  cached: boolean;
};

describe('POST /v1/embeddings', () => {
  const request = (body: object, key = app.key) => postEmbeddings(app.address, key, body);
  const embed = async (body: object, key = app.key) => {
    const response = await request(body, key);
    assert.equal(response.status, 200);
    return (await response.json()) as Embeddings;
  };
  const newOrganization = async () => {
    const { orgId } = await app.services.organizations.create({ name: 'Acme', tier: 'free' });
    const { secret, key } = await app.services.keys.create({ orgId, userId: 'user', name: 'key' });
    return { orgId, secret, keyId: key.keyId };
  };

  test('a text becomes a unit vector in OpenAI’s shape', async () => {
    const answer = await embed({
      input: 'The quick brown fox',
      model: 'all-MiniLM-L6-v2',
      user: 'me',
      unknown: 1,
    });
    assert.deepEqual(Object.keys(answer), [
      'object',
      'data',
      'model',
      'fingerprint',
      'usage',
      'cached',
      'cached_texts',
      'truncated',
    ]);
    assert.equal(answer.data[0]?.embedding.length, 384);
    assert.ok(Math.abs(norm(answer.data[0]?.embedding ?? []) - 1) < 1e-5);
    assert.deepEqual(answer.usage, { prompt_tokens: 6, total_tokens: 6 });
    assert.equal(answer.cached, false);
  });

  test('float, base64 and dimensions share one cache entry and agree', async () => {
    const full = await embed({ input: 'formats' });
    const base64 = (await embed({ input: 'formats', encoding_format: 'base64' })) as unknown as {
      data: { embedding: string }[];
      cached: boolean;
    };
    const bytes = Buffer.from(base64.data[0]?.embedding ?? '', 'base64');
    const decoded = Array.from({ length: 384 }, (_, i) => bytes.readFloatLE(i * 4));
    assert.equal(base64.cached, true);
    assert.deepEqual(full.data[0]?.embedding.map(Math.fround), decoded);
    const cut = await embed({ input: 'formats', dimensions: 64 });
    const expected = decoded.slice(0, 64).map((value) => value / norm(decoded.slice(0, 64)));
    assert.equal(cut.cached, true);
    cut.data[0]?.embedding.forEach((value, i) => {
      assert.ok(Math.abs(value - (expected[i] as number)) < 1e-6);
    });
  });

  test('any text gets an embedding: a million characters, lone surrogates, control characters, only spaces', async () => {
    const hostile = [
      'a'.repeat(1_000_000),
      '\ud800',
      'x\udc00y',
      '\u0000\u0001',
      ' ',
      '😀'.repeat(10_000),
      '\u0301'.repeat(9_999),
    ];
    for (const input of hostile) {
      // As escapes, because that is how a lone surrogate arrives.
      const answer = await embed({ input });
      assert.equal(answer.data[0]?.embedding.length, 384);
      assert.ok(answer.data[0]?.embedding.every(Number.isFinite));
    }
  });

  test('the headers show the quota after each request, and across the change of the month', async () => {
    const { secret } = await newOrganization();
    clock.set('2026-11-30T23:59:50Z');
    const november = await request({ input: 'in November' }, secret);
    assert.deepEqual(rateLimit(november), {
      'x-ratelimit-limit': '10000',
      'x-ratelimit-remaining': '9999',
      'x-ratelimit-reset': '2026-12-01T00:00:00Z',
      'ratelimit-policy': '"monthly";q=10000;w=2592000',
      ratelimit: '"monthly";r=9999;t=10',
    });
    clock.set('2026-12-01T00:00:00Z');
    const cached = await request({ input: 'in November' }, secret);
    assert.deepEqual(rateLimit(cached), {
      'x-ratelimit-limit': '10000',
      'x-ratelimit-remaining': '10000',
      'x-ratelimit-reset': '2027-01-01T00:00:00Z',
      'ratelimit-policy': '"monthly";q=10000;w=2678400',
      ratelimit: '"monthly";r=10000;t=2678400',
    });
    assert.equal(
      (await request({ input: 'in December' }, secret)).headers.get('x-ratelimit-remaining'),
      '9999',
    );
    clock.set('2026-11-21T03:00:00Z');
  });

  function rateLimit(response: Response): Record<string, string> {
    return Object.fromEntries(
      [...response.headers].filter(([name]) => name.includes('ratelimit')).reverse(),
    ) as Record<string, string>;
  }
});

describe('long work for one organization', async () => {
  const { orgId } = await app.services.organizations.create({ name: 'Other' });
  const { secret: other } = await app.services.keys.create({
    orgId,
    userId: app.administrator.userId,
    name: 'other',
  });
  await (await postEmbeddings(app.address, other, { input: 'cached' })).arrayBuffer();

  const post = (path: string, type: string, body: string) =>
    fetch(`${app.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.key}`, 'content-type': type },
      body,
    });
  const embed = (body: string) => post('/v1/embeddings', 'application/json', body);
  const repeated = (count: number, part: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => part(i)).join('');
  const field = (i: number) =>
    `--b\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\n${'x'.repeat(10)}\r\n`;

  const works: Record<string, { send: () => Promise<Response>; status: number }> = {
    'bodies with thousands of names': {
      send: () => embed(`{${repeated(6_000, (i) => `"k${i}":1,`)}"input":"cached"}`),
      status: 200,
    },
    'forms with hundreds of fields': {
      send: () => post('/v1/files', 'multipart/form-data; boundary=b', `${repeated(800, field)}--b--\r\n`),
      status: 400,
    },
  };
  for (const [name, { send, status }] of Object.entries(works)) {
    test(`${name} let the requests of others go first`, async () => {
      const order: string[] = [];
      const finish = async (who: string, sent: Promise<Response>, expected: number) => {
        const response = await sent;
        await response.arrayBuffer();
        assert.equal(response.status, expected);
        order.push(who);
      };
      await Promise.all([
        ...Array.from({ length: 16 }, () => finish('long', send(), status)),
        finish('other', postEmbeddings(app.address, other, { input: 'cached' }), 200),
      ]);
      assert.ok(order.indexOf('other') < 8, String(order));
    });
  }

  test('lines and files of batches take turns that are not those of requests', () => {
    assert.equal(app.services.fileContents.turnsOf, batchTurns);
  });
});

function norm(vector: readonly number[]): number {
  return Math.hypot(...vector);
}
