import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../src/config/config.ts';
import { unavailable } from '../../../src/errors.ts';
import { Chores } from '../../../src/lib/chores.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { Gather } from '../../../src/lib/gather.ts';
import { lazily } from '../../../src/lib/lazily.ts';
import { turnOfItsOwn } from '../../../src/lib/turns.ts';
import { Hold } from '../../../src/load/hold.ts';
import { Load } from '../../../src/load/load.ts';

const failed = new Error('the store is unavailable');

describe('items that wait while a flush fails', () => {
  /** Fails the first flush after the second item has arrived. */
  const failFirst = (patienceMs: number) => {
    const flushed: string[][] = [];
    const first = Promise.withResolvers<string[]>();
    const gather = new Gather<string, string>(
      (items) => {
        flushed.push(items);
        return flushed.length === 1 ? first.promise : Promise.resolve(items);
      },
      { maxItems: 10, patienceMs },
    );
    const run = async () => {
      const a = gather.add('a');
      await new Promise(setImmediate);
      const others = ['b', 'c'].map((item) => gather.add(item));
      first.reject(failed);
      await assert.rejects(a, failed);
      return await Promise.allSettled(others);
    };
    return { run, flushed };
  };

  test('share the next flush', async () => {
    const { run, flushed } = failFirst(60_000);
    const outcomes = await run();
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    );
    assert.deepEqual(flushed, [['a'], ['b', 'c']]);
  });

  test('fail with it if they have no patience left', async () => {
    const { run, flushed } = failFirst(0);
    const outcomes = await run();
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason),
      [failed, failed],
    );
    assert.deepEqual(flushed, [['a']]);
  });
});

/** Longer than a lookup waits before it takes another one's failure for its own. */
const patienceMs = 300;

describe('lookups that wait for their turn', () => {
  const { bounds, tiers } = readConfig({});
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'found',
      (reason) => reason.code ?? reason.message,
    );
  const failAfter = async (ms: number, reason: Error) => {
    await setTimeout(ms);
    throw reason;
  };

  test('fail too if the database becomes unavailable for one that runs meanwhile', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const tried: string[] = [];
    const cut = Promise.withResolvers<never>();
    const lookUp = (name: string) =>
      code(
        new Hold(load).lookUp('192.0.2.1', () => {
          tried.push(name);
          return cut.promise;
        }),
      );
    const early = [lookUp('first'), lookUp('second'), lookUp('third')];
    await setTimeout(patienceMs);
    // It has hardly waited when the first one fails, so it tries for itself.
    const late = lookUp('late');
    cut.reject(unavailable(new Error('cut')));
    assert.deepEqual(await Promise.all([...early, late]), Array(4).fill('unavailable'));
    assert.deepEqual(tried, ['first', 'late']);
  });

  test('are tried if the database is unavailable for one of another network', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const end = Promise.withResolvers<void>();
    const running = new Hold(load).lookUp('192.0.2.1', () => end.promise);
    const waiting = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    const failed = unavailable(new Error('cut'));
    const other = new Hold(load).lookUp('198.51.100.1', () => failAfter(patienceMs, failed));
    assert.equal(await code(other), 'unavailable');
    end.resolve();
    await running;
    assert.equal(await waiting, 'found');
  });

  test('are tried if one fails for another reason', async () => {
    const load = new Load({ ...bounds, maxRequestsAtWork: 1 }, tiers);
    const failing = code(
      new Hold(load).lookUp('192.0.2.1', () => failAfter(patienceMs, new Error('its own'))),
    );
    const other = code(new Hold(load).lookUp('192.0.2.1', async () => 'a key'));
    assert.deepEqual(await Promise.all([failing, other]), ['its own', 'found']);
  });
});

test('a lazy value loads once, even for concurrent callers', async () => {
  let loads = 0;
  const lazy = lazily(async () => {
    loads += 1;
    return loads;
  });
  assert.equal(await lazy.loaded(), undefined);
  assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [1, 1]);
  assert.equal(await lazy.loaded(), 1);
});

test('a lazy value tries again after a failure, and reports the failed one as not loaded', async () => {
  let isThere = false;
  const lazy = lazily(async () => {
    if (!isThere) throw new Error('not there');
    return 'there';
  });
  await assert.rejects(lazy.get(), /not there/);
  assert.equal(await lazy.loaded(), undefined);
  isThere = true;
  assert.equal(await lazy.get(), 'there');
});

test('each of several concurrent callers gets its own turn of the event loop, in order', async () => {
  let turn = 0;
  const count = (): void => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const given: [caller: number, turn: number][] = [];
  const caller = async (id: number): Promise<void> => {
    for (let part = 0; part < 3; part += 1) {
      await turnOfItsOwn();
      given.push([id, turn]);
    }
  };
  await Promise.all([caller(0), caller(1), caller(2)]);
  clearImmediate(counting);
  assert.equal(new Set(given.map(([, at]) => at)).size, 9);
  assert.deepEqual(
    given.map(([id]) => id),
    [0, 1, 2, 0, 1, 2, 0, 1, 2],
  );
});

const often = { everyMs: 10_000, onError: assert.ifError };

test('rounds never overlap, and calls during a round share the next one', async () => {
  const chores = new Chores({ take: async () => null }, systemClock);
  const rounds: PromiseWithResolvers<void>[] = [];
  const look = chores.add({
    ...often,
    name: 'own',
    isShared: false,
    run() {
      rounds.push(Promise.withResolvers());
      return rounds.at(-1)!.promise;
    },
  });
  const first = look();
  await new Promise(setImmediate);
  const others = [look(), look()];
  await new Promise(setImmediate);
  assert.equal(rounds.length, 1);
  rounds[0]!.resolve();
  await first;
  await new Promise(setImmediate);
  assert.equal(rounds.length, 2);
  rounds[1]!.resolve();
  await Promise.all(others);
  await chores.close();
  assert.equal(rounds.length, 2);
});

test('a round that fails is reported, and the next one runs', async () => {
  const chores = new Chores({ take: async () => null }, systemClock);
  const errors: unknown[] = [];
  let rounds = 0;
  const look = chores.add({
    name: 'own',
    everyMs: 10_000,
    isShared: false,
    async run() {
      rounds += 1;
      if (rounds === 1) throw new Error('down');
    },
    onError: (reason) => errors.push(reason),
  });
  await look();
  await look();
  await chores.close();
  assert.deepEqual([rounds, String(errors)], [2, 'Error: down']);
});

test('rounds come at the interval, the first one soon, and none after the end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const chores = new Chores({ take: async () => null }, systemClock);
  let rounds = 0;
  const run = async (): Promise<void> => {
    rounds += 1;
  };
  chores.add({ ...often, name: 'own', isShared: false, run });
  for (const [ms, expected] of [
    [4_999, 0],
    [1, 1],
    [5_000, 2],
    [10_000, 3],
  ] as const) {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    assert.equal(rounds, expected);
  }
  await chores.close();
  t.mock.timers.tick(60_000);
  await new Promise(setImmediate);
  assert.equal(rounds, 3);
});
