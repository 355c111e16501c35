import assert from 'node:assert/strict';
import { describe, it, type TestContext, test } from 'node:test';
import { eventually } from '../../../test/helpers/eventually.ts';
import { freePort } from '../../../test/helpers/free-port.ts';
import {
  dimensions,
  itemsOf,
  reply,
  silent,
  sound,
  UpstreamServer,
} from '../../../test/helpers/upstream-server.ts';
import { Endpoint } from '../src/endpoint.ts';
import type { UpstreamSettings } from '../src/settings.ts';
import { openUpstreamEngine } from '../src/upstream-engine.ts';
import { upstreamSettings } from './upstream-settings.ts';

const longestPauseMs = 30_000;

/** How often the upstream received the text of the tests, rather than the trial that shows whether it works. */
const askedFor = ({ requests }: UpstreamServer): number =>
  requests.filter(({ input }) => input[0] === 'text').length;

describe('an upstream that fails repeatedly', () => {
  /** Stops the clock of the pause, whose length is random. The returned function lets the longest one pass. */
  const stopClock = (t: TestContext) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    return () => t.mock.timers.tick(longestPauseMs);
  };

  it('gets no requests for a while, is retried by one request, and is used again when that succeeds', async (t) => {
    const passPause = stopClock(t);
    await using server = await new UpstreamServer().listen();
    const told: string[] = [];
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), (what) => told.push(what));
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    server.otherwise = reply(500);
    server.requests.length = 0;
    for (let i = 0; i < 20; i += 1) await assert.rejects(embed(), { name: 'Unavailable' });
    assert.equal(askedFor(server), 5);
    assert.deepEqual(
      engine.upstreams?.map(({ name, isAvailable }) => [name, isAvailable]),
      [[server.url, false]],
    );
    assert.deepEqual(
      told.map((line) => line.replace(server.url, '…')),
      ['model served: … gets no requests for a while: returns 500'],
    );
    server.otherwise = sound;
    passPause();
    assert.equal((await embed()).length, 1);
    assert.match(told.at(-1) ?? '', / gets requests again$/);
    assert.equal(askedFor(server), 6);
    assert.equal(engine.upstreams?.[0]?.isAvailable, true);
    await engine.close();
  });

  it('gets no other requests while one request retries it', async (t) => {
    const passPause = stopClock(t);
    await using server = await new UpstreamServer().listen();
    const engine = await openUpstreamEngine(upstreamSettings([server.url]), () => {});
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    server.otherwise = reply(500);
    for (let i = 0; i < 5; i += 1) await assert.rejects(embed());
    server.requests.length = 0;
    passPause();
    await Promise.allSettled(Array.from({ length: 10 }, embed));
    assert.equal(server.requests.length, 1);
    await engine.close();
  });
});

describe('a start', () => {
  const opening = (url: string, more: Partial<UpstreamSettings> = {}, told: string[] = []) =>
    openUpstreamEngine(upstreamSettings([url], more), (what) => told.push(what));

  it('waits for an upstream that is away, and logs it once', async () => {
    const port = await freePort();
    const told: string[] = [];
    const opened = opening(`http://127.0.0.1:${port}/v1`, { startTimeoutMs: 60_000 }, told);
    await eventually(() => told.length > 0);
    await using _ = await new UpstreamServer().listen(port);
    const engine = await opened;
    assert.equal(engine.model.dimensions, dimensions);
    assert.match(
      told[0] ?? '',
      /^model served: http:\S+ can't be reached, .*\(ECONNREFUSED 127\S+\); waiting for it$/,
    );
    await engine.close();
  });

  it('ends with one line when the upstream does not come up', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    await assert.rejects(opening(url), {
      message:
        /^model served: http:\S+ can't be reached, .*\(ECONNREFUSED 127\S+\); not available within 0 ms\..*$/,
    });
  });

  it('ends at once when waiting cannot help', async () => {
    await using server = await new UpstreamServer().listen();
    const cases: [UpstreamServer['otherwise'], RegExp][] = [
      [reply(401), /refuses the key \(401\): set the correct one$/],
      [reply(404), /returns 404: are the address and the model's name correct\?$/],
      [reply(400, { error: { message: 'no such model, sk-key' } }), /returns 400$/],
    ];
    for (const [otherwise, message] of cases) {
      server.otherwise = otherwise;
      await assert.rejects(opening(server.url, { startTimeoutMs: 60_000 }), { message });
    }
    server.otherwise = sound;
    await assert.rejects(opening(server.url, { startTimeoutMs: 60_000, dimensions: 9 }), {
      message: /returns 8 dimensions instead of 9$/,
    });
  });

  it('stops at the signal, whatever the upstream does not respond to', async () => {
    const soundBefore = [[], [sound], [sound, sound]];
    for (const [count, before] of soundBefore.entries()) {
      await using server = await new UpstreamServer().listen();
      server.next.push(...before);
      server.otherwise = silent;
      await assert.rejects(
        stopped(server, () => server.requests.length > count),
        { message: 'stopped' },
      );
    }
    await using server = await new UpstreamServer().listen();
    let isAsked = false;
    server.models = () => {
      isAsked = true;
    };
    await assert.rejects(
      stopped(server, () => isAsked),
      { message: 'stopped' },
    );
  });

  /** Opens an upstream, and stops that when `isTime`. */
  const stopped = async ({ url }: UpstreamServer, isTime: () => boolean) => {
    const stop = new AbortController();
    const opened = openUpstreamEngine(upstreamSettings([url]), () => {}, { signal: stop.signal });
    opened.catch(() => {});
    await eventually(isTime);
    stop.abort(new Error('stopped'));
    return opened;
  };

  it('needs no upstream if dimensions and limit are configured', async () => {
    const port = await freePort();
    const told: string[] = [];
    const more = { dimensions, maxTokens: 100 };
    const engine = await opening(`http://127.0.0.1:${port}/v1`, more, told);
    assert.match(told.join(), /\(ECONNREFUSED 127\S+\); starting without it$/);
    const embed = async () => engine.run(await engine.prepare(['text'], 'document'));
    await assert.rejects(embed(), { name: 'Unavailable' });
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

test('a start ends when a text gets another vector beside others, with the model, the address and the reason', async () => {
  await using server = await new UpstreamServer().listen();
  // Gives each text except the first the vector of its neighbor.
  server.otherwise = (response, request) => {
    const items = itemsOf(request);
    reply(200, {
      data: items.map((item, i) => ({ ...item, embedding: items[Math.max(0, i - 1)]!.embedding })),
    })(response);
  };
  await assert.rejects(
    openUpstreamEngine(upstreamSettings([server.url]), () => {}),
    {
      message:
        /^model served: http:\S+ returns a different vector for a text with other texts than alone \(cosine -?[\d.]+, at least 0\.99 is expected\)$/,
    },
  );
});

describe('the fingerprint of an upstream’s model', () => {
  it('distinguishes models, revisions, prompts and limits, and not addresses or names', async () => {
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

  it('does not change when the list of its models cannot be read for a while', async () => {
    await using server = await new UpstreamServer().listen();
    const list = reply(200, { data: [{ id: 'theirs', max_model_len: 512 }] });
    const told: string[] = [];
    const open = (startTimeoutMs: number) =>
      openUpstreamEngine(upstreamSettings([server.url], { startTimeoutMs }), (what) => told.push(what));
    server.models = list;
    const first = await open(0);
    server.models = reply(503);
    await assert.rejects(
      open(0),
      /^Error: model served: .* returns 503, when asked for its models; configure/,
    );
    const opening = open(60_000);
    await eventually(() => told.length > 0);
    server.models = list;
    const second = await opening;
    assert.deepEqual(
      [second.model.maxTokens, second.model.fingerprint],
      [first.model.maxTokens, first.model.fingerprint],
    );
    await Promise.all([first.close(), second.close()]);
  });

  it('is read from the address that responds', async () => {
    await using server = await new UpstreamServer().listen();
    server.models = reply(200, { data: [{ id: 'theirs', max_model_len: 512 }] });
    const away = `http://127.0.0.1:${await freePort()}/v1`;
    const engine = await openUpstreamEngine(upstreamSettings([away, server.url]), () => {});
    assert.equal(engine.model.maxTokens, 512);
    await engine.close();
  });
});

describe('an upstream that refuses the texts of its trial', () => {
  it('leaves the work to the other addresses, and no client’s text is blamed', async () => {
    await using first = await new UpstreamServer().listen();
    const port = await freePort();
    const urls = [first.url, `http://127.0.0.1:${port}/v1`];
    const engine = await openUpstreamEngine(upstreamSettings(urls), () => {});
    // It starts later than the service, so its trial is part of a client's request.
    await using second = new UpstreamServer();
    second.otherwise = reply(400, { error: { code: 'context_length_exceeded', message: 'no' } });
    await second.listen(port);
    for (let i = 0; i < 10; i += 1) {
      const [vector] = await engine.run(await engine.prepare(['text'], 'document', false));
      assert.equal(vector!.length, dimensions);
    }
    assert.ok(second.requests.length > 0);
    assert.equal(askedFor(second), 0);
    await engine.close();
  });
});

test('a trial that fails late does not undo a newer one that the address has passed', async () => {
  const endpoint = new Endpoint('http://127.0.0.1:1/v1', { key: null, onChange: () => {} });
  const { signal } = new AbortController();
  const late = Promise.withResolvers<void>();
  const isAlive = async () => true;
  endpoint.require({ pass: () => late.promise, isAlive });
  const older = endpoint.prove(signal);
  let newer = 0;
  endpoint.require({
    pass: async () => {
      newer += 1;
    },
    isAlive,
  });
  await endpoint.prove(signal);
  late.reject(new Error('late'));
  await assert.rejects(older, /late/);
  await endpoint.prove(signal);
  assert.equal(newer, 1);
});
