import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PartlyFailed } from '../../../packages/engine/src/index.ts';
import { ServiceError } from '../../../src/errors.ts';
import { noUnits } from '../../../src/quota/limit.ts';
import { inTurn } from '../../helpers/turns.ts';
import { fresh, partsFor } from './embedding-parts.ts';
import { FixtureEngine, Gate } from './fixture-engine.ts';

const longText = Array(129).fill('w').join(' ');

describe('embedding texts', () => {
  it('computes unknown texts and counts them as one request', async (t) => {
    const { embed, quota, engine } = partsFor(t);
    const texts = ['a', 'b b', 'a', 'c c c'];
    const result = await embed({ texts });
    assert.deepEqual(
      result.embeddings,
      texts.map((text) => fresh(text)),
    );
    assert.equal(result.cached, false);
    assert.equal(result.promptTokens, 7);
    assert.equal(new Set(result.keys).size, 3);
    assert.equal(result.keys[0], result.keys[2]);
    assert.deepEqual(engine.computedTexts.sort(), ['a', 'b b', 'c c c']);
    assert.deepEqual(quota.movesOf('key'), [1, 0]);
    assert.deepEqual(quota.reserved[0]?.units, { ...noUnits, requests: 1, texts: 3, tokens: 6 });
  });

  it('returns vectors from memory at once, uncounted', async (t) => {
    const { embed, embedNow, quota, engine } = partsFor(t);
    const computed = await embed({ texts: ['a', 'b'] });
    quota.limit = 0;
    const result = embedNow({ texts: ['b', 'a', 'b'] });
    assert.ok(!(result instanceof Promise));
    assert.deepEqual(
      result.embeddings,
      ['b', 'a', 'b'].map((text) => fresh(text)),
    );
    assert.deepEqual(
      result.keys,
      [1, 0, 1].map((i) => computed.keys[i]),
    );
    assert.equal(result.cached, true);
    assert.equal(result.promptTokens, 3);
    assert.equal(quota.reserved.length, 1);
    assert.equal(engine.computedTexts.length, 2);
  });

  it('takes turns for the keys of many texts, and for their vectors in the store', async (t) => {
    const { embed, storeTexts } = partsFor(t);
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    await storeTexts(texts);
    let turns = 0;
    await embed({
      texts,
      inTurn: (work) => {
        turns += 1;
        return inTurn(() => work(() => true));
      },
    });
    assert.equal(turns, 300 + 3);
  });

  it('returns vectors from the store, uncounted', async (t) => {
    const { embed, storeTexts, quota, engine } = partsFor(t);
    await storeTexts(['a', 'b']);
    const result = await embed({ texts: ['a', 'b', 'a'] });
    assert.equal(result.cached, true);
    assert.deepEqual(
      result.embeddings,
      ['a', 'b', 'a'].map((text) => fresh(text)),
    );
    assert.deepEqual([quota.reserved, engine.batches], [[], []]);
  });

  it('treats a store that is down as empty', async (t) => {
    const { embed, store, storeTexts } = partsFor(t);
    await storeTexts(['a']);
    store.before = () => Promise.reject(new Error('down'));
    const result = await embed({ texts: ['a'] });
    assert.deepEqual(result.embeddings, [fresh('a')]);
    assert.equal(result.cached, false);
  });

  it('shares no vector between organizations, input types or ways to cut', async (t) => {
    const { embed, quota } = partsFor(t);
    await embed({ texts: ['a'] });
    for (const other of [{ orgId: 'other' }, { inputType: 'query' as const }, { truncate: false }]) {
      const result = await embed({ texts: ['a'], ...other });
      assert.equal(result.cached, false);
      assert.deepEqual(result.embeddings, [fresh('a', other.inputType)]);
    }
    assert.equal(quota.reserved.length, 4);
  });

  it('treats a lone surrogate as the replacement character', async (t) => {
    const { embed, engine } = partsFor(t);
    const { embeddings, keys } = await embed({ texts: ['a\ud800', 'a\udfff'] });
    assert.equal(keys[0], keys[1]);
    assert.deepEqual(engine.computedTexts, ['a\ufffd']);
    assert.deepEqual(embeddings[1], fresh('a\ufffd'));
  });

  it('computes nothing before the unit is taken, and takes none while the queue is full', async (t) => {
    const { embed, quota, engine, batcher } = partsFor(t, { batcher: { maxAdmittedTokens: 14 } });
    const reserving = new Gate();
    quota.beforeReserve = reserving.pass;
    const first = embed({ texts: ['first'] });
    await reserving.reached();
    assert.deepEqual([engine.batches.length, batcher.stats.admittedTokens], [0, 6]);
    await assert.rejects(embed({ texts: ['later'], keyId: 'late' }), { code: 'overloaded' });
    assert.equal(quota.inProgress, 1);
    reserving.open();
    await first;
    assert.deepEqual([batcher.stats.admittedTokens, quota.inProgress], [0, 0]);
    assert.deepEqual(quota.movesOf('late'), [0, 0]);
  });

  it('computes nothing for a request that the quota refuses', async (t) => {
    const { embed, quota, engine, batcher, underWay } = partsFor(t);
    quota.limit = 0;
    await assert.rejects(embed({ texts: ['a'] }), { code: 'rate_limit_exceeded' });
    assert.deepEqual([engine.batches.length, batcher.stats.admittedTokens, underWay.size], [0, 0, 0]);
    quota.limit = 1;
    assert.equal((await embed({ texts: ['a'] })).cached, false);
  });

  it('computes a text while it is counted if much is left, and returns it only once it is counted', async (t) => {
    const { embed, quota, engine, cache } = partsFor(t);
    quota.isAmple = true;
    const reserving = new Gate();
    quota.beforeReserve = reserving.pass;
    const request = embed({ texts: ['a'] });
    await reserving.reached();
    while (engine.computedTexts.length === 0) await nextTurn();
    await nextTurn();
    assert.equal(cache.stats.memoryEntries, 0);
    reserving.open();
    assert.deepEqual((await request).embeddings, [fresh('a')]);
    assert.equal(cache.stats.memoryEntries, 1);
    // Several texts wait for the count.
    quota.beforeReserve = () => Promise.reject(new ServiceError('unavailable', 'no'));
    await assert.rejects(embed({ texts: ['b', 'c'] }), { code: 'unavailable' });
    assert.deepEqual(engine.computedTexts, ['a']);
  });

  it('keeps no vector that was computed early if the count fails or the engine does', async (t) => {
    const { embed, quota, engine, cache, underWay, batcher } = partsFor(t);
    quota.isAmple = true;
    quota.beforeReserve = () => Promise.reject(new ServiceError('unavailable', 'no'));
    const running = new Gate();
    engine.beforeRun = running.pass;
    await assert.rejects(embed({ texts: ['a'] }), { code: 'unavailable' });
    assert.ok(batcher.stats.admittedTokens > 0, 'the text that is computed still takes room');
    assert.equal(quota.inProgress, 1, 'and counts in limits of requests at a time');
    running.open();
    await batcher.close();
    await nextTurn();
    assert.deepEqual([batcher.stats.admittedTokens, quota.inProgress], [0, 0]);
    assert.deepEqual([engine.computedTexts, cache.stats.memoryEntries, underWay.size], [['a'], 0, 0]);
    quota.beforeReserve = async () => {};
    engine.beforeRun = () => Promise.reject(new Error('broken'));
    await assert.rejects(embed({ texts: ['a'] }), { code: 'unavailable' });
    assert.deepEqual([quota.movesOf('key'), underWay.size, batcher.stats.admittedTokens], [[1, 1], 0, 0]);
  });

  it('releases the unit of a failed request once', async (t) => {
    const { embed, quota, engine, underWay, batcher } = partsFor(t);
    engine.beforeRun = () => Promise.reject(new Error('broken'));
    await assert.rejects(embed({ texts: ['a', 'b'] }), { code: 'unavailable' });
    assert.deepEqual(quota.movesOf('key'), [1, 1]);
    assert.deepEqual([underWay.size, batcher.stats.admittedTokens], [0, 0]);
    engine.beforeRun = async () => {};
    assert.equal((await embed({ texts: ['a'] })).cached, false);
  });

  it('keeps no vector of a request whose unit it gives back', async (t) => {
    const { embed, engine, quota, batcher } = partsFor(t, {
      engine: new FixtureEngine({ maxBatchTokens: 2, concurrency: 2 }),
    });
    const last = new Gate();
    engine.beforeRun = async (batch) => {
      if (batch.some(({ text }) => text === 'd')) throw new Error('broken');
      if (engine.batches.length > 1) await last.pass();
    };
    await assert.rejects(embed({ texts: ['d', 'c', 'b', 'a'] }), { code: 'unavailable' });
    assert.deepEqual(quota.movesOf('key'), [1, 1]);
    // A batch that ends after the request has failed.
    last.open();
    await batcher.close();
    assert.ok(engine.computedTexts.length > 2);
    for (const text of ['a', 'b', 'c']) assert.equal((await embed({ texts: [text] })).cached, false);
  });

  it('keeps no vector of a request in which one text fails', async (t) => {
    const { embed, engine, quota } = partsFor(t);
    const run = engine.run.bind(engine);
    engine.run = async (batch) => {
      const vectors = await run(batch);
      throw new PartlyFailed(
        vectors.map((vector, i) => (batch[i]!.text === 'refused' ? new Error('refused') : vector)),
      );
    };
    await assert.rejects(embed({ texts: ['a', 'b', 'refused'] }), { code: 'unavailable' });
    engine.run = run;
    assert.deepEqual(quota.movesOf('key'), [1, 1]);
    assert.equal((await embed({ texts: ['a', 'b'] })).cached, false);
  });

  it('reports a unit that could not be released, and fails with the first error', async (t) => {
    const { embed, quota, engine, giveBackErrors } = partsFor(t);
    engine.beforeRun = () => Promise.reject(new Error('broken'));
    quota.beforeGiveBack = () => Promise.reject(new Error('database down'));
    await assert.rejects(embed({ texts: ['a'] }), { code: 'unavailable' });
    assert.deepEqual(giveBackErrors.map(String), ['Error: database down']);
  });

  it('remembers no vector with a NaN', async (t) => {
    const { embed, engine } = partsFor(t);
    const { vectorOf } = engine;
    engine.vectorOf = () => new Float32Array(8).fill(Number.NaN);
    await assert.rejects(embed({ texts: ['a'] }), { code: 'unavailable' });
    engine.vectorOf = vectorOf;
    assert.deepEqual((await embed({ texts: ['a'] })).embeddings, [fresh('a')]);
  });

  it('names the index and the tokens of a text that may not be cut', async (t) => {
    const { embed, quota } = partsFor(t);
    const tooLong = Array(1_234).fill('w').join(' ');
    await embed({ texts: ['a', 'b'], truncate: false });
    await assert.rejects(embed({ texts: ['a', 'c', 'b', tooLong, tooLong], truncate: false }), {
      code: 'invalid_request',
      param: 'input',
      message: /^input\[3\] has 1,234 tokens; the model reads at most 128\./,
    });
    assert.equal(quota.reserved.length, 1);
    assert.equal((await embed({ texts: [longText] })).promptTokens, 128);
  });
});

describe('a client that has disconnected', () => {
  it('causes no computation and is not counted', async (t) => {
    const { embed, engine, quota, store, underWay } = partsFor(t);
    const client = new AbortController();
    const reading = new Gate();
    store.before = reading.pass;
    const answer = embed({ texts: ['a'], signal: () => client.signal });
    await reading.reached();
    client.abort();
    reading.open();
    await assert.rejects(answer, { code: 'request_timeout' });
    assert.deepEqual([engine.batches, quota.reserved, underWay.size], [[], [], 0]);
    await assert.rejects(embed({ texts: ['a'], signal: () => client.signal }), { code: 'request_timeout' });
  });

  it('gets its unit back while its texts wait for a batch', async (t) => {
    const { embed, engine, quota } = partsFor(t);
    const running = new Gate();
    engine.beforeRun = running.pass;
    const first = embed({ texts: ['a'], keyId: 'first' });
    await running.reached();
    const client = new AbortController();
    const preparing = new Gate();
    engine.beforePrepare = preparing.pass;
    const answer = embed({ texts: ['b'], signal: () => client.signal });
    await preparing.reached();
    preparing.open();
    await new Promise(setImmediate);
    client.abort();
    await assert.rejects(answer, { code: 'request_timeout' });
    assert.deepEqual(quota.movesOf('key'), [1, 1]);
    running.open();
    await first;
    assert.deepEqual(engine.computedTexts, ['a']);
  });

  it('stays counted if a part of its texts was in a batch, which a retry finds in the cache', async (t) => {
    const { embed, engine, quota, batcher } = partsFor(t, {
      engine: new FixtureEngine({ maxBatchTokens: 2 }),
    });
    const running = new Gate();
    engine.beforeRun = running.pass;
    const client = new AbortController();
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const answer = embed({ texts, signal: () => client.signal });
    await running.reached();
    client.abort();
    await assert.rejects(answer, { code: 'request_timeout' });
    assert.deepEqual(quota.movesOf('key'), [1, 0]);
    running.open();
    await batcher.close();
    assert.deepEqual(engine.computedTexts, ['a', 'b']);
    assert.equal((await embed({ texts: ['b', 'a'] })).cached, true);
    assert.equal((await embed({ texts })).cached, false);
    assert.deepEqual(engine.computedTexts.sort(), texts);
    assert.deepEqual(quota.movesOf('key'), [2, 0]);
  });

  it('is counted once all its texts are in a batch', async (t) => {
    const { embed, engine, quota } = partsFor(t);
    const running = new Gate();
    engine.beforeRun = running.pass;
    const client = new AbortController();
    const answer = embed({ texts: ['a'], signal: () => client.signal });
    await running.reached();
    client.abort();
    running.open();
    assert.equal((await answer).cached, false);
    assert.deepEqual(quota.movesOf('key'), [1, 0]);
    assert.equal((await embed({ texts: ['a'] })).cached, true);
  });
});
