import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { TestClock } from '../../helpers/clock.ts';

type Answer = {
  object: string;
  data: { object: string; index: number; embedding: number[] }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
  cached: boolean;
};

describe('POST /v1/embeddings', () => {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  let app: ListeningApp;
  before(async () => {
    app = await listeningApp({ clock });
  });
  after(() => app[Symbol.asyncDispose]());

  const request = (body: object, key = app.key) =>
    fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const embed = async (body: object, key = app.key) => {
    const response = await request(body, key);
    assert.equal(response.status, 200);
    return (await response.json()) as Answer;
  };
  const usedOf = async (orgId: string) => (await app.services.ledger.readStanding(orgId)).used;
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
    assert.deepEqual(Object.keys(answer), ['object', 'data', 'model', 'usage', 'cached']);
    assert.equal(answer.data[0]?.embedding.length, 512);
    assert.ok(Math.abs(norm(answer.data[0]?.embedding ?? []) - 1) < 1e-5);
    assert.deepEqual(answer.usage, { prompt_tokens: 5, total_tokens: 5 });
    assert.equal(answer.cached, false);
  });

  test('a batch returns a vector for each index, whether its texts are cached, repeated or new, and counts once', async () => {
    const { secret, orgId } = await newOrganization();
    const alone = new Map<string, number[]>();
    for (const text of ['one', 'two', 'three']) {
      alone.set(text, (await embed({ input: text }, secret)).data[0]?.embedding ?? []);
    }
    const input = ['three', 'new', 'one', 'new', 'two', 'one'];
    const answer = await embed({ input }, secret);
    assert.equal(answer.cached, false);
    assert.deepEqual(
      answer.data.map(({ index }) => index),
      [0, 1, 2, 3, 4, 5],
    );
    for (const [i, text] of input.entries()) {
      if (alone.has(text)) assert.deepEqual(answer.data[i]?.embedding, alone.get(text));
    }
    assert.deepEqual(answer.data[1]?.embedding, answer.data[3]?.embedding);
    assert.equal(await usedOf(orgId), 4);
    assert.equal((await embed({ input }, secret)).cached, true);
    assert.equal(await usedOf(orgId), 4);
  });

  test('the cache shows no organization what another has sent', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    await embed({ input: 'a secret plan' }, one.secret);
    assert.equal((await embed({ input: 'a secret plan' }, one.secret)).cached, true);
    assert.equal((await embed({ input: 'a secret plan' }, other.secret)).cached, false);
    assert.equal(await usedOf(other.orgId), 1);
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

  test('2,048 texts come back in order', async () => {
    const input = Array.from({ length: 2_048 }, (_, i) => `number ${i % 700}`);
    const answer = await embed({ input, encoding_format: 'base64' });
    assert.equal(answer.data.length, 2_048);
    assert.deepEqual(answer.data[1_400]?.embedding, answer.data[0]?.embedding);
    const [alone] = (await embed({ input: 'number 699', encoding_format: 'base64' })).data;
    assert.deepEqual(answer.data[699]?.embedding, alone?.embedding);
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

  test('identical concurrent requests are computed once and counted once', async () => {
    const { secret, orgId } = await newOrganization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => embed({ input: 'all at once' }, secret)),
    );
    assert.equal(answers.filter(({ cached }) => !cached).length, 1);
    assert.equal(await usedOf(orgId), 1);
  });

  test('concurrent distinct requests over HTTP are granted exactly up to the limit', async () => {
    const { secret, orgId } = await newOrganization();
    await app.services.organizations.setTier(orgId, 'enterprise', { requests: 37, window: 'month' });
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => (await request({ input: `distinct ${i}` }, secret)).status),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 37);
    assert.equal(statuses.filter((status) => status === 429).length, 63);
    assert.equal(await usedOf(orgId), 37);
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

  test('a tier change applies to the very next request', async () => {
    const { secret, orgId } = await newOrganization();
    const { organizations } = app.services;
    await organizations.setTier(orgId, 'enterprise', { requests: 1, window: 'month' });
    assert.equal((await request({ input: 'first' }, secret)).status, 200);
    assert.equal((await request({ input: 'second' }, secret)).status, 429);
    await organizations.setTier(orgId, 'pro', null);
    const up = await request({ input: 'second' }, secret);
    assert.deepEqual([up.status, up.headers.get('x-ratelimit-remaining')], [200, '99998']);
    await organizations.setTier(orgId, 'enterprise', null);
    const unlimited = await request({ input: 'third' }, secret);
    assert.equal(unlimited.headers.get('x-ratelimit-remaining'), '9007199254740991');
    await organizations.setTier(orgId, 'enterprise', { requests: 2, window: 'month' });
    const down = await request({ input: 'fourth' }, secret);
    assert.deepEqual([down.status, down.headers.get('x-ratelimit-remaining')], [429, '0']);
  });

  test('usage, organization and keys agree with the headers', async () => {
    const { secret, orgId, keyId } = await newOrganization();
    await embed({ input: ['one', 'two'] }, secret);
    await embed({ input: 'one' }, secret);
    assert.equal((await request({ input: '' }, secret)).status, 400);
    const get = async (path: string) =>
      (await fetch(app.address + path, { headers: { authorization: `Bearer ${secret}` } })).json();
    const totals = { counted: 1, cached: 1, failed: 1, texts: 3, tokens: 3 };
    const quota = {
      limit: 10_000,
      used: 1,
      remaining: 9_999,
      window: 'month',
      resets_at: '2026-12-01T00:00:00.000Z',
    };
    assert.deepEqual(await get('/v1/usage'), {
      org_id: orgId,
      ...quota,
      month: '2026-11',
      totals,
      key: { key_id: keyId, ...totals },
    });
    assert.deepEqual(await get(`/v1/organizations/${orgId}`), {
      org_id: orgId,
      name: 'Acme',
      tier: 'free',
      created_at: '2026-11-21T03:00:00.000Z',
      quota,
    });
    assert.deepEqual(await get(`/v1/organizations/${orgId}/keys`), {
      object: 'list',
      data: [
        {
          key_id: keyId,
          org_id: orgId,
          user_id: 'user',
          user_name: null,
          name: 'key',
          status: 'active',
          hint: `sk_…${secret.slice(-4)}`,
          created_at: '2026-11-21T03:00:00.000Z',
          last_used_at: '2026-11-21T03:00:00.000Z',
          expires_at: '2027-11-21T03:00:00.000Z',
          revoked_at: null,
          rotated_from: null,
        },
      ],
      has_more: false,
      next: null,
    });
    await app.services.organizations.setTier(orgId, 'enterprise', null);
    const unlimited = (await get(`/v1/organizations/${orgId}`)) as { quota: object };
    assert.deepEqual(unlimited.quota, { ...quota, limit: null, remaining: null });
  });

  function rateLimit(response: Response): Record<string, string> {
    return Object.fromEntries(
      [...response.headers].filter(([name]) => name.includes('ratelimit')).reverse(),
    ) as Record<string, string>;
  }
});

function norm(vector: readonly number[]): number {
  return Math.hypot(...vector);
}
