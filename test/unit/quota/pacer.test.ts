import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Counter, decide, standingOf } from '../../../src/quota/decide.ts';
import type { StoredStandings } from '../../../src/quota/known-standings.ts';
import { Ledger } from '../../../src/quota/ledger.ts';
import type { LedgerStore } from '../../../src/quota/ledger-store.ts';
import { Pacer } from '../../../src/quota/pacer.ts';
import { windowAt } from '../../../src/quota/window.ts';
import { askOf } from '../../helpers/asks.ts';
import { TestClock } from '../../helpers/clock.ts';

const quota = standingOf({ amount: null, window: 'month', unit: 'requests' }, undefined, 0);

interface LimitOfSecond {
  readonly amount: number;
  readonly maxWaitMs: number;
  /** The key that it limits. Null: the organization. */
  readonly keyId?: string | null;
}

/** A store in memory whose only limit, of requests per second, makes requests wait. */
function storeOf(clock: TestClock, { amount, maxWaitMs, keyId = null }: LimitOfSecond): LedgerStore {
  const scope = { keyId, userId: null, appliesTo: 'requests' } as const;
  const counter = {
    ...scope,
    limitId: 'limit',
    scopeId: keyId ?? '',
    unit: 'requests',
    amount,
    used: 0,
    resetsAtMs: 0,
  };
  return {
    async flush([entry]) {
      const { startMs, endMs } = windowAt('second', clock.now());
      if (counter.resetsAtMs !== endMs) Object.assign(counter, { used: 0, resetsAtMs: endMs });
      const decided = decide(entry!.runs, [counter as Counter]);
      const limit = { ...counter, unit: 'requests', window: 'second', maxWaitMs, startMs } as const;
      const receipt = { day: 0, monthStartMs: 0, window: null };
      return [{ decided, receipt, standing: quota, limits: [limit] }];
    },
    standings: async () => undefined,
    version: () => 1,
  };
}

/** A pacer over such a limit, and the outcomes of the requests that were sent to it, in their order. */
function paced(t: TestContext, limit: LimitOfSecond) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = new TestClock('2026-11-21T03:00:00Z');
  const pacer = new Pacer(new Ledger(storeOf(clock, limit), clock), clock);
  const outcomes: string[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  };
  const tick = async (ms: number) => {
    t.mock.timers.tick(ms);
    await settle();
  };
  return {
    clock,
    pacer,
    outcomes,
    async send(names: readonly string[], key = 'key', signal?: AbortSignal, isBackground = false) {
      for (const name of names) {
        pacer.reserve('org', { ...askOf(key), isBackground }, signal).then(
          () => outcomes.push(name),
          ({ code }) => outcomes.push(`${name} ${code}`),
        );
      }
      await settle();
    },
    tick,
    async pass(ms: number) {
      clock.advance(ms);
      await tick(ms);
    },
  };
}

describe('requests that wait for a limit', () => {
  test('of one key are granted in order of arrival', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 2, maxWaitMs: 10_000 });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await send(names);
    for (const granted of [2, 4, 6, 7]) {
      assert.deepEqual(outcomes, names.slice(0, granted));
      await pass(1_000);
    }
  });

  test('are not overtaken by one that arrives when the next window has begun', async (t) => {
    const { send, tick, clock, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    await send(['first', 'waiting']);
    clock.advance(1_000);
    await send(['late']);
    await tick(1_000);
    assert.deepEqual(outcomes, ['first', 'waiting']);
  });

  test('are not overtaken by one that arrives while the first of them are being decided', async (t) => {
    const { send, tick, clock, outcomes } = paced(t, { amount: 65, maxWaitMs: 10_000 });
    await send(Array(130).fill('first or waiting'));
    clock.advance(1_000);
    const ticked = tick(1_000);
    await send(['late']);
    await ticked;
    assert.deepEqual(outcomes, Array(130).fill('first or waiting'));
  });

  test('take turns with another key’s, however often they were refused', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 2, maxWaitMs: 10_000 });
    await send(Array(12).fill('busy'), 'busy');
    await send(Array(2).fill('calm'), 'calm');
    await pass(1_000);
    assert.deepEqual(outcomes.slice(2).toSorted(), ['busy', 'calm']);
    await send(Array(3).fill('calm'), 'calm');
    await pass(1_000);
    assert.deepEqual(outcomes.slice(4).toSorted(), ['busy', 'calm']);
  });

  test('of a key that begins to wait don’t wait for all of another key’s that were refused before', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 2, maxWaitMs: 60_000 });
    await send(Array(40).fill('busy'), 'busy');
    await pass(1_000);
    await send(['calm'], 'calm');
    await pass(1_000);
    assert.deepEqual(outcomes.slice(4).toSorted(), ['busy', 'calm']);
  });

  test('are refused when the next window is later than they may wait', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 1, maxWaitMs: 1_500 });
    await send(['first', 'next', 'late']);
    await pass(1_000);
    assert.deepEqual(outcomes, ['first', 'next', 'late rate_limit_exceeded']);
  });

  test('wait for the limit of their own key, and other keys’ requests don’t', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 1, maxWaitMs: 1_500, keyId: 'busy' });
    await send(['first', 'next', 'late'], 'busy');
    await send(['other', 'another'], 'calm');
    await pass(1_000);
    assert.deepEqual(outcomes, ['first', 'other', 'another', 'next', 'late rate_limit_exceeded']);
  });

  test('are none of a client that disconnects while the ledger decides for the first time', async (t) => {
    const { send, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    await send(['first']);
    await send(['left'], 'key', AbortSignal.abort({ code: 'aborted' }));
    assert.deepEqual(outcomes, ['first', 'left aborted']);
  });

  test('are none of a client that disconnects while the ledger decides again', async (t) => {
    const { send, pass, tick, clock, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    const client = new AbortController();
    await send(['first', 'second']);
    await send(['left'], 'key', client.signal);
    clock.advance(1_000);
    const decided = tick(1_000);
    client.abort({ code: 'aborted' });
    await decided;
    await pass(1_000);
    assert.deepEqual(outcomes, ['first', 'second', 'left aborted']);
  });

  test('of batches are refused instead where half of a second’s limit is used, and get one turn in ten windows', async (t) => {
    const { send, pass, outcomes } = paced(t, { amount: 2, maxWaitMs: 10_000 });
    const line = () => send(['line'], 'key', undefined, true);
    await send(['request']);
    for (let second = 0; second < 10; second += 1) {
      await line();
      assert.equal(outcomes.at(-1), 'line rate_limit_exceeded');
      await pass(1_000);
      await send(['request', 'request']);
    }
    await line();
    assert.equal(outcomes.at(-1), 'request');
    await pass(1_000);
    assert.equal(outcomes.at(-1), 'line');
    await line();
    assert.equal(outcomes.at(-1), 'line rate_limit_exceeded');
  });

  test('are refused when the service ends', async (t) => {
    const { send, pacer, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    await send(['first', 'waiting']);
    pacer.close();
    await send([]);
    assert.deepEqual(outcomes, ['first', 'waiting unavailable']);
  });

  test('are refused when the service ends while the ledger decides again', async (t) => {
    const { send, tick, clock, pacer, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    await send(['first', 'second', 'third']);
    clock.advance(1_000);
    const decided = tick(1_000);
    pacer.close();
    await decided;
    assert.deepEqual(outcomes, ['first', 'second', 'third unavailable']);
  });

  test('are none once the service ends: a request that would have to wait is refused', async (t) => {
    const { send, pacer, outcomes } = paced(t, { amount: 1, maxWaitMs: 10_000 });
    pacer.close();
    await send(['first', 'second']);
    assert.deepEqual(outcomes, ['first', 'second rate_limit_exceeded']);
  });
});

test('a request begins although its limits take longer to read than a response waits for them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = new TestClock('2026-11-21T03:00:00Z');
  const reading = Promise.withResolvers<StoredStandings>();
  const store: LedgerStore = { flush: async () => [], standings: () => reading.promise, version: () => 1 };
  const begun = new Pacer(new Ledger(store, clock), clock).begin('org', askOf('key'));
  t.mock.timers.tick(1_000);
  reading.resolve({ quota, limits: null });
  const end = await begun;
  end();
});
