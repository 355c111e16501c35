import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { TestClock } from '../../helpers/clock.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Answer = {
  object: string;
  data: { object: string; index: number; embedding: number[] }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
  cached: boolean;
};

const clock = new TestClock('2026-11-21T03:00:00Z');
const app = untilEnd(await listeningApp({ clock }));

describe('POST /v1/embeddings', () => {
  const request = (body: object, key = app.key) => postEmbeddings(app.address, key, body);
  const embed = async (body: object, key = app.key) => {
    const response = await request(body, key);
    assert.equal(response.status, 200);
    return (await response.json()) as Answer;
  };
  const newOrganization = async () => {
    const { orgId } = await app.services.organizations.create({ name: 'Acme', tier: 'free' });
    const { secret, key } = await app.services.keys.create({ orgId, userId: 'user', name: 'key' });
    return { orgId, secret, keyId: key.keyId };
  };

  test('a text becomes a unit vector in OpenAI’s shape', async () => {
    const answer = await embed({
      input: 'The quick brown fox',
      model: 'universal-sentence-encoder-lite',
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
      'truncated',
    ]);
    assert.equal(answer.data[0]?.embedding.length, 512);
    assert.ok(Math.abs(norm(answer.data[0]?.embedding ?? []) - 1) < 1e-5);
    assert.deepEqual(answer.usage, { prompt_tokens: 5, total_tokens: 5 });
    assert.equal(answer.cached, false);
  });

  test('float, base64 and dimensions share one cache entry and agree', async () => {
    const full = await embed({ input: 'formats' });
    const base64 = (await embed({ input: 'formats', encoding_format: 'base64' })) as unknown as {
      data: { embedding: string }[];
      cached: boolean;
    };
    const bytes = Buffer.from(base64.data[0]?.embedding ?? '', 'base64');
    const decoded = Array.from({ length: 512 }, (_, i) => bytes.readFloatLE(i * 4));
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
      assert.equal(answer.data[0]?.embedding.length, 512);
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
});

function norm(vector: readonly number[]): number {
  return Math.hypot(...vector);
}
