import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { openServices } from '../../../src/service/services.ts';
import { listeningApp } from '../../helpers/app.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { postEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import {
  atMost,
  base64Of,
  dimensions,
  reply,
  sound,
  type UpstreamRequest,
  UpstreamServer,
  vectorOf,
} from '../../helpers/upstream-server.ts';

describe('POST /v1/embeddings with an upstream', async () => {
  const server = untilEnd(await new UpstreamServer().listen());
  const other = untilEnd(await new UpstreamServer().listen());
  other.otherwise = (response, request) =>
    sound(response, { ...request, input: request.input.map((text) => `another ${text}`) });
  const directory = untilEnd(temporaryDirectory());
  const upstream = { model: 'theirs', max_tokens: 100, dimensions };
  const models = [
    { upstream: { ...upstream, urls: [server.url] } },
    { name: 'b', upstream: { ...upstream, urls: [other.url] } },
    { name: 'c', upstream: { ...upstream, urls: [other.url] } },
  ];
  const file = join(directory.path, 'embedgate.json');
  writeFileSync(file, JSON.stringify({ models }));
  const app = untilEnd(await listeningApp({ environment: { EMBEDGATE_CONFIG: file } }));
  beforeEach(() => {
    server.otherwise = sound;
  });

  const post = async (body: object, key = app.key) => {
    const response = await postEmbeddings(app.address, key, body);
    const answer = (await response.json()) as {
      error: string;
      message: string;
      model: string;
      cached: boolean;
      data: { embedding: number[] }[];
      usage: { prompt_tokens: number };
    };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...answer };
  };
  /** What Prometheus reads about the upstream. */
  const available = async () => {
    const text = await (await fetch(`${app.address}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith('embedgate_upstream_available{model="theirs"'));
  };
  const used = async () => (await app.services.ledger.readStanding(app.orgId)).used;

  it('is listed without languages and a license, which it doesn’t state', async () => {
    const headers = { authorization: `Bearer ${app.key}` };
    const response = await fetch(`${app.address}/v1/models/theirs`, { headers });
    const { languages, license } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([languages, license], [null, null]);
  });

  it('returns a vector that was computed again, although the earlier one was remembered', async () => {
    const turned = (sign: number) => (response: ServerResponse, request: UpstreamRequest) => {
      const data = request.input.map((text, index) => {
        const vector = vectorOf(text).map((value) => (text.endsWith('again') ? sign * value : value));
        return { index, embedding: request.encoding_format === 'base64' ? base64Of(vector) : vector };
      });
      reply(200, { data, usage: { prompt_tokens: 2, total_tokens: 2 } })(response);
    };
    const sign = async (headers = {}) => {
      const response = await fetch(`${app.address}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ input: ['again', 'and again'], encoding_format: 'float' }),
      });
      const body = (await response.json()) as { data: { embedding: number[] }[] };
      assert.equal(response.status, 200, JSON.stringify(body));
      return Math.sign(body.data[0]!.embedding[0]! / vectorOf('again')[0]!);
    };
    server.otherwise = turned(1);
    assert.deepEqual([await sign(), await sign()], [1, 1]);
    server.otherwise = turned(-1);
    const signs = [];
    for (const control of ['no-cache, no-store', '', 'no-cache', ''])
      signs.push(await sign(control ? { 'cache-control': control } : {}));
    assert.deepEqual(signs, [-1, 1, -1, -1]);
  });

  it('returns the upstream’s vectors, and takes them from the cache the next time', async () => {
    const answer = await post({ input: 'text', model: 'theirs' });
    assert.equal(answer.status, 200);
    vectorOf('text').forEach((value, i) => {
      assert.ok(Math.abs(answer.data[0]!.embedding[i]! - value) < 1e-6);
    });
    assert.deepEqual([answer.model, answer.usage.prompt_tokens, answer.cached], ['theirs', 4, false]);
    const labels = `model="theirs",upstream="${server.url}"`;
    assert.deepEqual(await available(), [`embedgate_upstream_available{${labels}} 1`]);
    const asked = server.requests.length;
    assert.equal((await post({ input: 'text' })).cached, true);
    assert.equal(server.requests.length, asked);
  });

  it('shares no vector with one of the same name, unless it has the same addresses', async () => {
    const ask = async (model: string) => {
      const { cached, data } = await post({ input: 'with a namesake', model });
      return { cached, first: data[0]!.embedding[0]! };
    };
    const [a, b, c] = [await ask('theirs'), await ask('b'), await ask('c')];
    assert.deepEqual([a.cached, b.cached, c.cached], [false, false, true]);
    assert.ok(Math.abs(a.first - vectorOf('with a namesake')[0]!) < 1e-6);
    assert.ok(Math.abs(b.first - vectorOf('another with a namesake')[0]!) < 1e-6);
    assert.equal(c.first, b.first);
  });

  it('reports the tokens that a limit counts, in place of the estimate', async () => {
    const { ledger, limits } = app.services;
    const tokens = { keyId: null, unit: 'tokens', window: 'month', amount: 10_000 } as const;
    const { limitId } = await limits.add(app.orgId, tokens);
    const { usage } = await post({ input: ['twelve bytes', 'seven more'] });
    const [limit] = await ledger.readLimits(app.orgId, ['']);
    assert.deepEqual([limit?.used, usage.prompt_tokens], [22, 22]);
    await limits.remove(app.orgId, limitId);
  });

  it('sends the upstream no more texts at once than it accepts', async () => {
    const input = Array.from({ length: 100 }, (_, i) => `text ${i}`);
    const asked = server.requests.length;
    assert.equal((await post({ input })).data.length, 100);
    const sizes = server.requests.slice(asked).map((request) => request.input.length);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      100,
    );
    assert.ok(Math.max(...sizes) <= 32, sizes.join());
  });

  it('refuses a text that is too long and may not be cut with a 400 that names its index, and does not count it', async () => {
    server.otherwise = atMost(20);
    const before = await used();
    const refused = await post({ input: ['a', 'b', 'x'.repeat(21), 'c'], truncate: false });
    assert.deepEqual([refused.status, refused.error], [400, 'invalid_request']);
    assert.match(refused.message, /^input\[2\] is longer than the model reads\. /);
    const estimated = await post({ input: 'x'.repeat(500), truncate: false });
    assert.match(estimated.message, /^input\[0\] has 125 tokens; the model reads at most 100\. /);
    assert.equal(await used(), before);
    assert.equal((await post({ input: 'x'.repeat(22) })).status, 200);
  });

  it('refuses a text that the upstream can never compute with a 400, and one that it may compute later with a 503', async () => {
    const poisoned =
      (bad: UpstreamServer['otherwise']): UpstreamServer['otherwise'] =>
      (response, request) =>
        (request.input.some((text) => text.startsWith('bad')) ? bad : sound)(response, request);
    const unusable = (value: unknown) =>
      reply(200, { data: [{ index: 0, embedding: Array(dimensions).fill(value) }] });
    const never = [
      unusable(0),
      unusable(null),
      reply(200, '{"data":[{"index":0,"embedding":[NaN, 1]}]}'),
      reply(200, { data: [] }),
      reply(200, { data: [{ index: 0, embedding: [1] }] }),
      reply(400, 'no such text'),
      reply(403),
      reply(422, {}),
      reply(424, { error: 'the tokenizer failed' }),
      reply(451),
      reply(500, { error: 'json: unsupported value: NaN' }),
    ];
    for (const [i, bad] of never.entries()) {
      server.otherwise = poisoned(bad);
      const refused = await post({ input: ['good', `bad ${i}`] });
      assert.deepEqual([refused.status, refused.error], [400, 'invalid_request']);
      assert.match(refused.message, /^input\[1\]: the model refuses this text/);
      assert.equal((await post({ input: `bad ${i}` })).status, 400);
    }
    server.otherwise = poisoned(reply(500, { error: 'CUDA error' }));
    assert.equal((await post({ input: ['good', 'bad'] })).status, 503);
    server.otherwise = reply(400, 'everything is refused');
    assert.equal((await post({ input: 'anything' })).status, 503);
    server.otherwise = sound;
  });

  it('returns 503 for the upstream’s own 429 or 401, and does not count the request', async () => {
    const before = await used();
    server.next.push(reply(401, { error: { message: 'Incorrect API key' } }));
    const unauthorized = await post({ input: 'unauthorized' });
    server.next.push(reply(429, { error: { message: 'insufficient_quota' } }, { 'retry-after': '120' }));
    const limited = await post({ input: 'limited' });
    for (const { status, error, message } of [unauthorized, limited]) {
      assert.deepEqual([status, error], [503, 'unavailable']);
      assert.equal(message, 'The service is temporarily unavailable. Try again shortly.');
    }
    assert.deepEqual([unauthorized.retryAfter, limited.retryAfter], ['1', '60']);
    assert.equal(await used(), before);
    assert.equal((await post({ input: 'text' })).cached, true);
    const labels = `model="theirs",upstream="${server.url}"`;
    assert.deepEqual(await available(), [`embedgate_upstream_available{${labels}} 0`]);
  });
});

describe('an upstream whose model has changed since the last start', () => {
  it('ends the start, so that no cached vector of the old model is served beside the new one', async () => {
    await using server = await new UpstreamServer().listen();
    using directory = temporaryDirectory();
    const open = (revision: string) =>
      openServices(
        readConfig({
          DATA_DIR: directory.path,
          LOG_LEVEL: 'silent',
          EMBEDDING_UPSTREAM_URL: server.url,
          EMBEDDING_MODEL: 'theirs',
          EMBEDDING_REVISION: revision,
        }),
      );
    const started = async (revision: string) => {
      const services = await open(revision);
      const outcome = await services.models.loaded.then(
        () => 'started',
        (reason: Error) => reason.message,
      );
      await services.close();
      return outcome;
    };
    assert.equal(await started('1'), 'started');
    server.otherwise = (response, request) =>
      sound(response, { ...request, input: request.input.map((text) => `another ${text}`) });
    assert.match(await started('1'), /^model theirs: .* different vectors than when .* EMBEDDING_REVISION/);
    assert.equal(await started('2'), 'started');
  });
});
