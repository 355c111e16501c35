import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  base64Of,
  cutOff,
  dimensions,
  itemsOf,
  reply,
  silent,
  sound,
  UpstreamServer,
  vectorOf,
} from '../../../test/helpers/upstream-server.ts';
import type { Engine } from '../../engine/src/index.ts';
import { Unavailable } from '../../small/src/errors.ts';
import type { UpstreamSettings } from '../src/settings.ts';
import { openUpstreamEngine } from '../src/upstream-engine.ts';
import type { UpstreamText } from '../src/upstream-text.ts';
import { upstreamSettings } from './upstream-settings.ts';

/** A limit that tests wait for. An upstream that works has to respond within it, on a busy machine too. */
const shortMs = 1_000;

describe('the upstream engine', () => {
  let server: UpstreamServer;
  const engines: Engine[] = [];
  beforeEach(async () => {
    server = await new UpstreamServer().listen();
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await server[Symbol.asyncDispose]();
  });

  const open = async (more: Partial<UpstreamSettings> = {}, urls = [server.url]) => {
    const engine = await openUpstreamEngine(upstreamSettings(urls, more), () => {});
    engines.push(engine);
    server.requests.length = 0;
    return engine;
  };
  const embed = async (engine: Engine<UpstreamText>, ...texts: string[]) =>
    (await engine.run(await engine.prepare(texts, 'document'))).map((vector) => Array.from(vector));
  const assertVectors = (actual: number[][], texts: readonly string[]) => {
    assert.equal(actual.length, texts.length);
    texts.forEach((text, i) => {
      vectorOf(text).forEach((value, j) => {
        assert.ok(Math.abs(actual[i]![j]! - value) < 1e-6, `${text}, ${j}`);
      });
    });
  };
  /** Requests that begin with a text. */
  const asked = (text: string) => server.requests.filter(({ input }) => input[0] === text).length;
  const failure = async (work: Promise<unknown>): Promise<Unavailable> => {
    const reason = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(reason instanceof Unavailable, String(reason));
    return reason;
  };

  it('learns the properties of its upstream at the start', async () => {
    server.models = reply(200, { data: [{ id: 'theirs', meta: { n_ctx_train: 768 } }] });
    assert.equal((await open()).model.maxTokens, 768);
    server.models = reply(404);
    const unlisted = await open();
    assert.deepEqual([unlisted.model.dimensions, unlisted.model.maxTokens], [dimensions, 8_192]);
    assert.equal((await open({ maxTokens: 256 })).model.maxTokens, 256);
  });

  it('sends model, key, and the prompt of the input type', async () => {
    const engine = await open({ key: 'sk-upstream', queryPrompt: 'query: ', documentPrompt: 'passage: ' });
    await engine.run(await engine.prepare(['a'], 'query'));
    await engine.run(await engine.prepare(['b'], 'document'));
    assert.deepEqual(
      server.requests.map(({ input, model, authorization }) => [input, model, authorization]),
      [
        [['query: a'], 'theirs', 'Bearer sk-upstream'],
        [['passage: b'], 'theirs', 'Bearer sk-upstream'],
      ],
    );
  });

  it('asks for no encoding unless a setting asks for base64', async () => {
    assertVectors(await embed(await open(), 'text'), ['text']);
    assert.ok(!('encoding_format' in server.requests[0]!));
    assertVectors(await embed(await open({ encoding: 'base64' }), 'text'), ['text']);
    assert.equal(server.requests.at(-1)?.encoding_format, 'base64');
  });

  it('takes vectors by their place if they have no index, but not if all have the same', async () => {
    const indexed =
      (index: (i: number) => unknown): UpstreamServer['otherwise'] =>
      (response, request) => {
        const data = itemsOf(request).map((item, i) => ({ ...item, index: index(i) }));
        // As servers with a byte order mark send it.
        reply(200, `\ufeff${JSON.stringify({ data })}`)(response);
      };
    for (const index of [() => undefined, () => null, () => 'none', String, (i: number) => i || undefined]) {
      server.otherwise = indexed(index);
      assertVectors(await embed(await open(), 'one', 'three'), ['one', 'three']);
    }
    server.otherwise = indexed((i) => `x${i}`);
    await assert.rejects(async () => embed(await open(), 'one', 'two'));
    server.otherwise = indexed(() => 0);
    await assert.rejects(embed(await open(), 'one', 'three'));
  });

  it('sorts vectors by their index', async () => {
    const engine = await open();
    server.next.push((response, request) => reply(200, { data: itemsOf(request).reverse() })(response));
    assertVectors(await embed(engine, 'one', 'three', 'seventeen'), ['one', 'three', 'seventeen']);
  });

  it('normalizes vectors that are not of unit length', async () => {
    const engine = await open();
    server.next.push((response) =>
      reply(200, { data: [{ index: 0, embedding: vectorOf('a').map((v) => 40 * v) }] })(response),
    );
    assertVectors(await embed(engine, 'a'), ['a']);
  });

  it('reports how many texts the upstream takes at once', async () => {
    assert.equal((await open({ maxBatchTexts: 2 })).maxBatchTexts, 2);
  });

  it('sends fewer texts at once to an upstream that mixes up their vectors', async () => {
    const engine = await open();
    server.otherwise = (response, request) =>
      reply(200, { data: itemsOf(request).map((item) => ({ ...item, index: 0 })) })(response);
    assertVectors(await embed(engine, 'one', 'two'), ['one', 'two']);
  });

  it('reads a response of a full batch in indented JSON', async () => {
    const engine = await open();
    const texts = Array.from({ length: 32 }, (_, i) => `${i} `.repeat(20));
    server.otherwise = (response, request) =>
      reply(
        200,
        JSON.stringify({ data: itemsOf({ ...request, encoding_format: 'float' }) }, null, 10),
      )(response);
    assertVectors(await embed(engine, ...texts), texts);
  });

  const unusable: Record<string, UpstreamServer['otherwise']> = {
    'too few vectors': (response, request) => reply(200, { data: itemsOf(request).slice(1) })(response),
    'other dimensions': (response, request) =>
      reply(200, { data: itemsOf(request).map((item) => ({ ...item, embedding: [0.6, 0.8] })) })(response),
    'NaN in base64': (response, request) =>
      reply(200, {
        data: itemsOf(request).map((item) => ({
          ...item,
          embedding: base64Of(Array(dimensions).fill(Number.NaN)),
        })),
      })(response),
    'null for a number': (response, request) =>
      reply(200, {
        data: itemsOf(request).map((item) => ({ ...item, embedding: Array(dimensions).fill(null) })),
      })(response),
    'a zero vector': (response, request) =>
      reply(200, {
        data: itemsOf(request).map((item) => ({ ...item, embedding: Array(dimensions).fill(0) })),
      })(response),
    'no JSON': reply(200, '<html>Welcome</html>'),
    'JSON of another shape': reply(200, '[]'),
    'an endless answer': (response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    },
    'a redirect': reply(307, '', { location: '/elsewhere' }),
    'status 500': reply(500),
    'no key accepted': reply(401, { error: { message: 'Incorrect API key provided: sk-upstream' } }),
  };
  for (const [what, otherwise] of Object.entries(unusable)) {
    it(`is unavailable at ${what}, and requests only once`, async () => {
      const engine = await open({ key: 'sk-upstream' });
      server.otherwise = otherwise;
      const reason = await failure(embed(engine, 'one', 'two'));
      assert.doesNotMatch(`${reason.message} ${reason.cause}`, /sk-upstream/);
      assert.match(String(reason.cause), /^UpstreamFailure: http:\/\/127\.0\.0\.1:\d+\/v1 (returns|refuses)/);
      assert.equal(asked('one'), 1);
      server.otherwise = sound;
      assertVectors(await embed(engine, 'one'), ['one']);
    });
  }

  const passing: Record<string, UpstreamServer['otherwise']> = {
    'a broken connection': (response) => response.destroy(),
    'an answer cut off': cutOff,
    'status 503': reply(503),
    'status 529, as overloaded hosts send it': reply(529),
    'status 429': reply(429),
    'status 503 with Retry-After': reply(503, {}, { 'retry-after': '1' }),
    'status 429 with the date of a retry': reply(429, {}, { 'retry-after': new Date(0).toUTCString() }),
  };
  for (const [what, respond] of Object.entries(passing)) {
    it(`retries after ${what}`, async () => {
      const engine = await open();
      server.next.push(respond);
      assertVectors(await embed(engine, 'text'), ['text']);
      assert.equal(asked('text'), 2);
    });
  }

  it('does not retry an upstream that asks to wait longer than a request may take, and passes on how long', async () => {
    const engine = await open({ deadlineMs: 30_000 });
    server.next.push(reply(429, {}, { 'retry-after': '60' }));
    assert.equal((await failure(embed(engine, 'text'))).retryAfterSeconds, 60);
    assert.ok((await failure(embed(engine, 'text'))).retryAfterSeconds > 30);
    assert.equal(server.requests.length, 1);
  });

  it('does not wait longer than its limit', async () => {
    const engine = await open({ timeoutMs: shortMs });
    server.otherwise = silent;
    assert.match(String((await failure(embed(engine, 'text'))).cause), /does not respond in time/);
  });

  it('uses another address for one that is down or fails', async () => {
    await using other = await new UpstreamServer().listen();
    const engine = await open({}, [server.url, other.url]);
    for (const respond of [reply(500), reply(401), silent]) {
      server.otherwise = respond;
      const quick = await openUpstreamEngine(
        upstreamSettings([server.url, other.url], { timeoutMs: shortMs }),
        () => {},
      );
      engines.push(quick);
      for (const text of ['a', 'b']) assertVectors(await embed(quick, text), [text]);
    }
    await server[Symbol.asyncDispose]();
    for (const text of ['a', 'b', 'c', 'd']) assertVectors(await embed(engine, text), [text]);
  });

  it('uses its addresses in turn', async () => {
    await using other = await new UpstreamServer().listen();
    const engine = await open({}, [server.url, other.url]);
    other.requests.length = 0;
    for (const text of ['a', 'b', 'c', 'd']) await embed(engine, text);
    assert.deepEqual([server.requests.length, other.requests.length], [2, 2]);
  });
});
