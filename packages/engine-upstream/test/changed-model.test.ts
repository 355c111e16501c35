import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { itemsOf, reply, sound, UpstreamServer, vectorOf } from '../../../test/helpers/upstream-server.ts';
import type { Engine } from '../../engine/src/index.ts';
import type { UpstreamSettings } from '../src/settings.ts';
import type { KeepVectors } from '../src/trial.ts';
import { openUpstreamEngine } from '../src/upstream-engine.ts';
import { upstreamSettings } from './upstream-settings.ts';

type Respond = UpstreamServer['otherwise'];

/** Responds with other vectors for the texts. */
const withVectors =
  (change: (vector: number[], text: string) => number[]): Respond =>
  (response, request) =>
    reply(200, {
      data: itemsOf(request).map((item, i) => ({
        ...item,
        embedding: change(vectorOf(request.input[i]!), request.input[i]!),
      })),
    })(response);
const another = withVectors((vector) => vector.toReversed());
const rounded = withVectors((vector) => vector.map((value) => Math.round(value * 200) / 200));
const changed =
  /different vectors than when the service first used this model.*EMBEDDING_REVISION \(revision in a file\)/;
const longestPauseMs = 30_000;
const mockClock = (t: TestContext) => t.mock.timers.enable({ apis: ['Date'], now: Date.now() });

describe('an upstream whose model changes', () => {
  let kept: Map<string, Uint8Array>;
  let told: string[];
  beforeEach(() => {
    kept = new Map();
    told = [];
  });

  const keepVectors: KeepVectors = async (key, vectors) => {
    if (!kept.has(key)) kept.set(key, vectors);
    return kept.get(key)!;
  };
  const open = (urls: readonly string[], more: Partial<UpstreamSettings> = {}) =>
    openUpstreamEngine(upstreamSettings(urls, more), (line) => told.push(line), { keepVectors });
  const embed = async (engine: Engine, ...texts: string[]) =>
    engine.run(await engine.prepare(texts, 'document'));

  it('ends a start, which a new revision allows, and the old model too', async () => {
    await using server = await new UpstreamServer().listen();
    await (await open([server.url])).close();
    server.otherwise = another;
    await assert.rejects(open([server.url]), { message: changed });
    await (await open([server.url], { revision: '2' })).close();
    server.otherwise = sound;
    await (await open([server.url])).close();
  });

  it('ends a start when one of several addresses serves it', async () => {
    await using server = await new UpstreamServer().listen();
    await using other = await new UpstreamServer().listen();
    other.otherwise = another;
    await assert.rejects(open([server.url, other.url]), /returns different vectors than the other addresses/);
  });

  it('does not end a start whose vectors differ only by their precision', async () => {
    await using server = await new UpstreamServer().listen();
    await (await open([server.url])).close();
    server.otherwise = rounded;
    await (await open([server.url])).close();
  });

  it('is noticed after a start without it', async (t) => {
    mockClock(t);
    await using server = await new UpstreamServer().listen();
    const more = { dimensions: 8, maxTokens: 100 };
    await (await open([server.url], more)).close();
    server.otherwise = reply(503);
    const engine = await open([server.url], { ...more, deadlineMs: 500 });
    server.otherwise = another;
    t.mock.timers.tick(longestPauseMs);
    await assert.rejects(embed(engine, 'text'), { name: 'Unavailable' });
    assert.ok(
      told.some((line) => changed.test(line)),
      told.join('\n'),
    );
    await engine.close();
  });

  const noticed = (
    what: string,
    outage: (server: UpstreamServer, engine: Engine, t: TestContext) => Promise<unknown>,
  ) =>
    it(`is noticed ${what}: it serves no vector and says so once, until the model is back`, async (t) => {
      await using server = await new UpstreamServer().listen();
      const engine = await open([server.url]);
      await embed(engine, 'text');
      await outage(server, engine, t);
      server.otherwise = another;
      for (let i = 0; i < 3; i += 1) await assert.rejects(embed(engine, 'text'), { name: 'Unavailable' });
      const lines = told.filter((line) => changed.test(line));
      assert.equal(lines.length, 1, told.join('\n'));
      assert.match(lines[0]!, /^model served: http:\S+ is not used: returns /);
      assert.equal(engine.upstreams?.[0]?.isAvailable, false);
      server.otherwise = sound;
      t.mock.timers.tick(longestPauseMs);
      assert.equal((await embed(engine, 'text')).length, 1);
      assert.equal(engine.upstreams?.[0]?.isAvailable, true);
      await engine.close();
    });

  noticed('after an outage', async (server, engine, t) => {
    mockClock(t);
    server.otherwise = reply(500);
    for (let i = 0; i < 5; i += 1) await assert.rejects(embed(engine, 'text'));
    t.mock.timers.tick(longestPauseMs);
  });
  noticed('after a restart that broke one connection', async (server, _, t) => {
    mockClock(t);
    server.next.push((response) => response.destroy());
  });
  noticed('by the text that shows whether the upstream is alive', async (server, engine, t) => {
    mockClock(t);
    server.next.push(reply(500));
    server.otherwise = another;
    await assert.rejects(embed(engine, 'text'), { name: 'Unavailable' });
  });
});

describe('an upstream that returns the same vector for all texts', () => {
  const constant = withVectors(() => vectorOf('text'));
  const open = (url: string) => openUpstreamEngine(upstreamSettings([url]), () => {});

  it('ends a start', async () => {
    await using server = await new UpstreamServer().listen();
    server.otherwise = constant;
    await assert.rejects(open(server.url), /returns the same vector for different texts/);
  });

  it('is not served, while texts that are alike for a sound model are', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await open(server.url);
    const embed = async () => engine.run(await engine.prepare(['Text', 'text', 'TEXT'], 'document'));
    const alike: Respond = (response, request) =>
      sound(response, { ...request, input: request.input.map((text) => text.toLowerCase()) });
    server.otherwise = alike;
    // The trial has other texts, and passes again.
    server.next.push(alike, sound, sound, sound);
    assert.equal((await embed()).length, 3);
    server.otherwise = constant;
    await assert.rejects(embed(), { name: 'Unavailable' });
    await engine.close();
  });
});
