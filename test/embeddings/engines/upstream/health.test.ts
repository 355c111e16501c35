import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UpstreamSettings } from '../../../../src/embeddings/engines/settings.ts';
import { openUpstreamEngine } from '../../../../src/embeddings/engines/upstream/upstream-engine.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { dimensions, reply, sound, UpstreamServer } from '../../../helpers/upstream-server.ts';
import { upstreamSettings } from './upstream-settings.ts';

describe('an upstream that fails in a row', () => {
  it('is left alone, tried again by one request, and used again when that succeeds', async () => {
    await using server = await new UpstreamServer().listen();
    const told: string[] = [];
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), (what) => told.push(what));
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    server.otherwise = reply(500);
    server.requests.length = 0;
    for (let i = 0; i < 20; i += 1) await assert.rejects(embed(), { code: 'unavailable' });
    assert.equal(server.requests.length, 5);
    assert.deepEqual(
      engine.upstreams?.map(({ name, isAvailable }) => [name, isAvailable]),
      [[server.url, false]],
    );
    assert.deepEqual(
      told.map((line) => line.replace(server.url, '…')),
      ['model served: … is left alone for a while: answers 500'],
    );
    server.otherwise = sound;
    await eventually(() =>
      embed().then(
        () => true,
        () => false,
      ),
    );
    assert.match(told.at(-1) ?? '', / is used again$/);
    assert.equal(server.requests.length, 6);
    assert.equal(engine.upstreams?.[0]?.isAvailable, true);
    await engine.close();
  });

  it('is not asked by all at once while one request tries it', async () => {
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), () => {});
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    server.otherwise = reply(500);
    for (let i = 0; i < 5; i += 1) await assert.rejects(embed());
    server.requests.length = 0;
    await eventually(async () => {
      await Promise.allSettled(Array.from({ length: 10 }, embed));
      return server.requests.length > 0;
    });
    assert.equal(server.requests.length, 1);
    await engine.close();
  });
});

describe('a start', () => {
  const opening = (url: string, more: Partial<UpstreamSettings> = {}, told: string[] = []) =>
    openUpstreamEngine(upstreamSettings([url], more), (what) => told.push(what));
  /** Where nobody listens. */
  const freePort = async (): Promise<number> => {
    await using server = await new UpstreamServer().listen();
    return server.port;
  };

  it('waits for an upstream that is away, and says so once', async () => {
    const port = await freePort();
    const told: string[] = [];
    const opened = opening(`http://127.0.0.1:${port}/v1`, { startTimeoutMs: 60_000, timeoutMs: 500 }, told);
    await eventually(() => told.length > 0);
    await using _ = await new UpstreamServer().listen(port);
    const engine = await opened;
    assert.equal(engine.model.dimensions, dimensions);
    assert.match(
      told[0] ?? '',
      /^model served: http:\S+ can't be reached, .*\(ECONNREFUSED\); waiting for it$/,
    );
    await engine.close();
  });

  it('ends with one line when the upstream does not come', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    await assert.rejects(opening(url, { timeoutMs: 300 }), {
      message: /^model served: http:\S+ can't be reached, .*\(ECONNREFUSED\); not there within 0 ms\..*$/,
    });
  });

  it('ends at once where waiting can not help', async () => {
    await using server = await new UpstreamServer().listen();
    const cases: [UpstreamServer['otherwise'], RegExp][] = [
      [reply(401), /refuses the key \(401\): set the right one$/],
      [reply(404), /answers 404: are the address and the model's name right\?$/],
      [reply(400, { error: { message: 'no such model, sk-key' } }), /answers 400$/],
    ];
    for (const [otherwise, message] of cases) {
      server.otherwise = otherwise;
      await assert.rejects(opening(server.url, { startTimeoutMs: 60_000 }), { message });
    }
    server.otherwise = sound;
    await assert.rejects(opening(server.url, { startTimeoutMs: 60_000, dimensions: 9 }), {
      message: /answers 8 dimensions in place of 9$/,
    });
  });

  it('needs no upstream where dimensions and limit are configured', async () => {
    const port = await freePort();
    const told: string[] = [];
    const more = { dimensions, maxTokens: 100, timeoutMs: 300 };
    const engine = await opening(`http://127.0.0.1:${port}/v1`, more, told);
    assert.match(told.join(), /\(ECONNREFUSED\); starting without it$/);
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    await assert.rejects(embed(), { code: 'unavailable' });
    await using server = await new UpstreamServer().listen(port);
    await eventually(() =>
      embed().then(
        () => true,
        () => false,
      ),
    );
    const atOnce = await opening(server.url, more);
    assert.equal(atOnce.model.fingerprint, engine.model.fingerprint);
    await Promise.all([engine.close(), atOnce.close()]);
  });
});

describe('the fingerprint of an upstream’s model', () => {
  it('tells models, revisions, prompts and limits apart, and not where they are served or under which name', async () => {
    await using server = await new UpstreamServer().listen();
    await using other = await new UpstreamServer().listen();
    const fingerprint = async (more: Partial<UpstreamSettings> = {}, url = server.url) => {
      const engine = await openUpstreamEngine(upstreamSettings([url], more), () => {});
      await engine.close();
      return engine.model.fingerprint;
    };
    const original = await fingerprint();
    assert.equal(await fingerprint({ name: 'alias', key: 'sk-x' }, other.url), original);
    const different: Partial<UpstreamSettings>[] = [
      { model: 'another' },
      { revision: '2' },
      { queryPrompt: 'q: ' },
      { documentPrompt: 'q: ' },
      { maxTokens: 100 },
    ];
    const fingerprints = await Promise.all(different.map((more) => fingerprint(more)));
    assert.equal(new Set([original, ...fingerprints]).size, different.length + 1);
  });
});
