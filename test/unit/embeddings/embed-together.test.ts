import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ServiceError } from '../../../src/errors.ts';
import { fresh, partsFor } from './embedding-parts.ts';
import { FixtureEngine, fixtureVector, Gate } from './fixture-engine.ts';

const longText = Array(200).fill('w').join(' ');

/** Parts whose store, quota, tokenizer and model each wait at a gate. */
function gatedParts(t: TestContext, concurrency = 1) {
  const parts = partsFor(t, { engine: new FixtureEngine({ concurrency }) });
  const [reading, reserving, preparing, running] = [new Gate(), new Gate(), new Gate(), new Gate()];
  parts.store.before = (operation) => (operation === 'get' ? reading.pass() : Promise.resolve());
  parts.quota.beforeReserve = reserving.pass;
  parts.engine.beforePrepare = preparing.pass;
  parts.engine.beforeRun = running.pass;
  const openAll = (): void => {
    for (const gate of [reading, reserving, preparing, running]) gate.open();
  };
  return { ...parts, reading, reserving, preparing, running, openAll };
}

describe('requests for the same texts', () => {
  it('share one computation at whatever stage it is', async (t) => {
    const { embed, reading, reserving, preparing, running, quota, engine } = gatedParts(t);
    const first = embed({ texts: ['a'], keyId: 'first' });
    const others = [];
    for (const gate of [reading, preparing, reserving, running]) {
      await gate.reached();
      others.push(embed({ texts: ['a', 'a'] }));
      gate.open();
    }
    assert.equal((await first).cached, false);
    for (const other of await Promise.all(others)) {
      assert.equal(other.cached, true);
      assert.deepEqual(other.embeddings, [fresh('a'), fresh('a')]);
    }
    assert.deepEqual(quota.movesOf('first'), [1, 0]);
    assert.equal(quota.reserved.length, 1);
    assert.deepEqual(engine.computedTexts, ['a']);
  });

  it('are both counted if each computes a part, without waiting for each other', async (t) => {
    const { embed, openAll, reading, quota, engine } = gatedParts(t);
    const one = embed({ texts: ['a', 'b'], keyId: 'one' });
    const two = embed({ texts: ['c', 'b', 'a'], keyId: 'two' });
    const three = embed({ texts: ['c', 'a'], keyId: 'three' });
    await reading.reached(2);
    openAll();
    const results = await Promise.all([one, two, three]);
    assert.deepEqual(
      results.map(({ cached }) => cached),
      [false, false, true],
    );
    assert.deepEqual(
      results[1].embeddings,
      ['c', 'b', 'a'].map((text) => fresh(text)),
    );
    assert.deepEqual(engine.computedTexts.sort(), ['a', 'b', 'c']);
    assert.deepEqual(quota.reserved.map(({ keyId }) => keyId).sort(), ['one', 'two']);
  });

  it('share what the store had', async (t) => {
    const { embed, storeTexts, reading, quota } = gatedParts(t);
    await storeTexts(['a']);
    const answers = [embed({ texts: ['a'] }), embed({ texts: ['a'] })];
    await reading.reached();
    reading.open();
    for (const { cached } of await Promise.all(answers)) assert.equal(cached, true);
    assert.equal(quota.reserved.length, 0);
  });

  it('share a refusal by the quota', async (t) => {
    const { embed, openAll, preparing, reserving, reading, quota } = gatedParts(t);
    preparing.open();
    quota.limit = 0;
    let reserves = 0;
    quota.beforeReserve = () => {
      reserves += 1;
      return reserving.pass();
    };
    const answers = [1, 2, 3].map(() => embed({ texts: ['a'] }));
    reading.open();
    await reserving.reached();
    openAll();
    for (const answer of await Promise.allSettled(answers)) {
      assert.equal(answer.status === 'rejected' && answer.reason.code, 'rate_limit_exceeded');
    }
    assert.equal(reserves, 1);
  });

  it('do not share a refusal by a limit of one key, or of texts', async (t) => {
    for (const exceeded of [
      { unit: 'requests', window: 'day', isOfSender: true },
      { unit: 'texts', window: 'day', isOfSender: false },
    ]) {
      const { embed, openAll, preparing, reserving, reading, quota } = gatedParts(t);
      preparing.open();
      let reserves = 0;
      quota.beforeReserve = async () => {
        reserves += 1;
        if (reserves > 1) return;
        await reserving.pass();
        throw new ServiceError('rate_limit_exceeded', 'limited', { exceeded });
      };
      const limited = embed({ texts: ['a', 'b'], keyId: 'limited' });
      await reading.reached();
      const free = embed({ texts: ['a'], keyId: 'free' });
      openAll();
      await assert.rejects(limited, { message: 'limited' });
      assert.deepEqual((await free).embeddings, [fresh('a')]);
      assert.deepEqual(quota.movesOf('free'), [1, 0]);
    }
  });

  it('compute what another request was refused, with a unit of their own', async (t) => {
    const { embed, openAll, preparing, reading, reserving, quota } = gatedParts(t);
    preparing.open();
    quota.limit = 1;
    const refused = embed({ texts: ['b'], keyId: 'refused' });
    await reading.reached();
    const granted = embed({ texts: ['a', 'b'], keyId: 'granted' });
    await reading.reached(2);
    // The later request's unit is taken first.
    const later = new Gate();
    let reserves = 0;
    quota.beforeReserve = () => {
      reserves += 1;
      return reserves === 1 ? later.pass() : reserving.pass();
    };
    reading.letOne();
    await later.reached();
    openAll();
    await new Promise(setImmediate);
    later.open();
    await assert.rejects(refused, { code: 'rate_limit_exceeded' });
    assert.deepEqual((await granted).embeddings, [fresh('a'), fresh('b')]);
    assert.deepEqual(quota.movesOf('granted'), [1, 0]);
  });

  it('share a failure of the engine, and the unit is released once', async (t) => {
    const { embed, openAll, running, engine, quota } = gatedParts(t);
    const first = embed({ texts: ['a'], keyId: 'first' });
    const second = embed({ texts: ['a', 'b'], keyId: 'second' });
    openAll();
    engine.beforeRun = async (batch) => {
      await running.pass();
      if (batch.some(({ text }) => text === 'a')) throw new Error('broken');
    };
    for (const answer of await Promise.allSettled([first, second])) {
      assert.equal(answer.status === 'rejected' && answer.reason.code, 'unavailable');
    }
    assert.deepEqual(quota.movesOf('first'), [1, 1]);
    const [reserved, givenBack] = quota.movesOf('second');
    assert.equal(reserved, givenBack);
  });

  it('compute the texts of a leader that failed because of another text', async (t) => {
    const { embed, openAll, reading, quota } = gatedParts(t);
    quota.limit = 1;
    const invalid = embed({ texts: ['a', longText, 'b'], keyId: 'invalid', truncate: false });
    await reading.reached();
    const followers = ['one', 'two'].map((keyId) => embed({ texts: ['b', 'a'], keyId, truncate: false }));
    openAll();
    await assert.rejects(invalid, { code: 'invalid_request', message: /^input\[1\] has 200 tokens/ });
    const results = await Promise.all(followers);
    for (const { embeddings } of results) assert.deepEqual(embeddings, [fresh('b'), fresh('a')]);
    assert.deepEqual(
      results.map(({ cached }) => cached),
      [false, true],
    );
    assert.deepEqual(quota.movesOf('invalid'), [0, 0]);
  });

  it('compute the texts of a leader that failed because the engine has no vector for another text', async (t) => {
    const { embed, openAll, reading, engine } = gatedParts(t);
    engine.vectorOf = ({ text, inputType }) =>
      text === 'bad' ? new Float32Array(8) : fixtureVector(text, inputType);
    const failing = embed({ texts: ['a', 'bad'] });
    await reading.reached();
    const follower = embed({ texts: ['a'] });
    openAll();
    await assert.rejects(failing, { code: 'unavailable' });
    assert.deepEqual((await follower).embeddings, [fresh('a')]);
  });

  it('get the index of a text that is too long in their own request', async (t) => {
    const { embed, openAll, reading, quota } = gatedParts(t);
    const first = embed({ texts: [longText], keyId: 'first', truncate: false });
    await reading.reached();
    const second = embed({ texts: ['a', 'b', longText], truncate: false });
    const third = embed({ texts: [longText], keyId: 'third', truncate: false });
    openAll();
    await Promise.all([
      assert.rejects(first, { message: /^input\[0\]/ }),
      assert.rejects(second, { message: /^input\[2\] has 200 tokens/, param: 'input' }),
      assert.rejects(third, { message: /^input\[0\]/ }),
    ]);
    assert.deepEqual(
      [quota.movesOf('first'), quota.movesOf('third')],
      [
        [0, 0],
        [0, 0],
      ],
    );
    // The second has computed its own texts, and they can be read.
    assert.equal(quota.usedBy('org'), 1);
  });

  it('stay counted if they fail after what they computed has become readable', async (t) => {
    const { embed, openAll, underWay, reading, preparing, reserving, running, engine, quota } = gatedParts(t);
    for (const gate of [reading, reserving, running]) gate.open();
    const first = embed({ texts: [longText], keyId: 'first', truncate: false });
    await preparing.reached();
    engine.beforePrepare = async () => {};
    const second = embed({ texts: ['a', longText], keyId: 'second', truncate: false });
    while (!engine.computedTexts.includes('a') || underWay.size > 1) await new Promise(setImmediate);
    openAll();
    await assert.rejects(first, { code: 'invalid_request' });
    await assert.rejects(second, { code: 'invalid_request' });
    assert.deepEqual(quota.movesOf('second'), [1, 0]);
    assert.equal((await embed({ texts: ['a'], truncate: false })).cached, true);
  });

  it('are computed by the next request when the first client disconnects', async (t) => {
    const { embed, openAll, running, quota, engine } = gatedParts(t);
    const client = new AbortController();
    const first = embed({ texts: ['a', 'b'], keyId: 'first', signal: () => client.signal });
    const second = embed({ texts: ['b'], keyId: 'second' });
    client.abort();
    openAll();
    running.open();
    await assert.rejects(first, { code: 'request_timeout' });
    assert.equal((await second).cached, false);
    assert.deepEqual(
      [quota.movesOf('first'), quota.movesOf('second')],
      [
        [0, 0],
        [1, 0],
      ],
    );
    assert.deepEqual(engine.computedTexts, ['b']);
  });

  it('are computed by the next request when the first disconnects before another joined', async (t) => {
    const { embed, openAll, preparing, reserving, reading, quota } = gatedParts(t);
    preparing.open();
    quota.limit = 1;
    const client = new AbortController();
    const first = embed({ texts: ['a'], keyId: 'first', signal: () => client.signal });
    reading.open();
    await reserving.reached();
    client.abort();
    const second = embed({ texts: ['a'], keyId: 'second' });
    openAll();
    await assert.rejects(first, { code: 'request_timeout' });
    assert.equal((await second).cached, false);
    assert.deepEqual(
      [quota.movesOf('first'), quota.movesOf('second')],
      [
        [1, 1],
        [1, 0],
      ],
    );
  });

  it('count a client that disconnects after its own part was computed', async (t) => {
    const { embed, engine, underWay, reading, reserving, preparing, running, quota } = gatedParts(t, 2);
    for (const gate of [reading, reserving, preparing]) gate.open();
    const first = embed({ texts: ['b'], keyId: 'first' });
    await running.reached();
    engine.beforeRun = async () => {};
    const client = new AbortController();
    const second = embed({ texts: ['a', 'b'], keyId: 'second', signal: () => client.signal });
    // Only the second request's own text is known.
    while (!engine.computedTexts.includes('a') || underWay.size > 1) await new Promise(setImmediate);
    client.abort();
    await assert.rejects(second, { code: 'request_timeout' });
    running.open();
    await first;
    assert.deepEqual(quota.movesOf('second'), [1, 0]);
  });

  it('are not computed for a client that disconnects in its second round', async (t) => {
    const { embed, engine, reading, running, preparing, reserving, quota } = gatedParts(t);
    for (const gate of [reading, preparing, running]) gate.open();
    const second = new Gate();
    let reserves = 0;
    quota.beforeReserve = async () => {
      reserves += 1;
      if (reserves === 3) await second.pass();
      if (reserves !== 1) return;
      await reserving.pass();
      throw new ServiceError('rate_limit_exceeded', 'Quota exhausted.');
    };
    const refused = embed({ texts: ['b'], keyId: 'refused' });
    await reserving.reached();
    const client = new AbortController();
    const granted = embed({ texts: ['a', 'b'], keyId: 'granted', signal: () => client.signal });
    while (!engine.computedTexts.includes('a')) await new Promise(setImmediate);
    reserving.open();
    await assert.rejects(refused, { code: 'rate_limit_exceeded' });
    await second.reached();
    client.abort();
    second.open();
    await assert.rejects(granted, { code: 'request_timeout' });
    assert.deepEqual(engine.computedTexts, ['a']);
    // The first round stays counted. The units of the second are returned.
    assert.deepEqual(quota.movesOf('granted'), [1, 0]);
    assert.deepEqual(
      quota.givenBack.map(({ units }) => [units.requests, units.texts]),
      [[0, 1]],
    );
  });

  it('let a follower disconnect without the leader', async (t) => {
    const { embed, openAll, reading, quota } = gatedParts(t);
    const first = embed({ texts: ['a'], keyId: 'first' });
    const client = new AbortController();
    const second = embed({ texts: ['a'], keyId: 'second', signal: () => client.signal });
    await reading.reached();
    client.abort();
    await assert.rejects(second, { code: 'request_timeout' });
    openAll();
    assert.equal((await first).cached, false);
    assert.deepEqual(quota.movesOf('second'), [0, 0]);
  });

  for (const first of ['follower', 'leader'] as const) {
    it(`are dropped when both have disconnected, the ${first} first`, async (t) => {
      const { embed, openAll, reading, engine } = gatedParts(t);
      const clients = { leader: new AbortController(), follower: new AbortController() };
      const led = embed({ texts: ['a'], signal: () => clients.leader.signal });
      const followed = embed({ texts: ['a'], signal: () => clients.follower.signal });
      await reading.reached();
      clients[first].abort();
      clients[first === 'leader' ? 'follower' : 'leader'].abort();
      await assert.rejects(followed, { code: 'request_timeout' });
      openAll();
      await assert.rejects(led, { code: 'request_timeout' });
      assert.deepEqual(engine.batches, []);
    });
  }

  it('are dropped in the queue when the leader disconnects before the follower', async (t) => {
    const { embed, batcher, reading, reserving, preparing, running, engine } = gatedParts(t);
    const [leader, follower] = [new AbortController(), new AbortController()];
    for (const gate of [reading, reserving, preparing]) gate.open();
    const blocking = embed({ texts: ['blocking'] });
    await running.reached();
    const first = embed({ texts: ['a'], signal: () => leader.signal });
    const second = embed({ texts: ['a'], signal: () => follower.signal });
    while (batcher.stats.waitingTexts === 0) await new Promise(setImmediate);
    leader.abort();
    follower.abort();
    await Promise.all([first, second].map((gone) => assert.rejects(gone, { code: 'request_timeout' })));
    running.open();
    await blocking;
    assert.deepEqual(engine.computedTexts, ['blocking']);
  });
});
