import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../../src/config/config.ts';
import { unavailable } from '../../../src/errors.ts';
import { Chores } from '../../../src/lib/chores.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { lazily } from '../../../src/lib/lazily.ts';
import { turnsOf } from '../../../src/load/event-loop.ts';
import { Hold } from '../../../src/load/hold.ts';
import { Load } from '../../../src/load/load.ts';

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

describe('turns of the event loop', () => {
  /** Work that nobody can divide. */
  const busy = (ms: number) => (): void => {
    for (const endMs = performance.now() + ms; performance.now() < endMs; );
  };
  const immediates = async (count: number) => {
    for (let i = 0; i < count; i += 1) await new Promise(setImmediate);
  };

  test('let others have the event loop in between', async () => {
    const order: string[] = [];
    let between = 0;
    const run = (id: string) =>
      Array.from({ length: 3 }, () =>
        turnsOf({ id, weight: 1 })(() => {
          order.push(id);
          setImmediate(() => {
            between = order.length;
          });
          assert.equal(between, order.length - 1);
        }),
      );
    await Promise.all([...run('a'), ...run('b')]);
    assert.equal(order.length, 6);
  });

  test('are followed by a pause if the work took long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const inTurn = turnsOf({ id: 'long', weight: 1 });
    await inTurn(busy(5));
    let hasBegun = false;
    const next = inTurn(() => {
      hasBegun = true;
    });
    await immediates(5);
    assert.equal(hasBegun, false);
    t.mock.timers.tick(19);
    await immediates(5);
    assert.equal(hasBegun, false);
    t.mock.timers.tick(60_000);
    await next;
    await immediates(5);
  });

  test('charge parties for the time that they took', async () => {
    const order: string[] = [];
    const run = (id: string, ms: number, count: number) =>
      Array.from({ length: count }, () =>
        turnsOf({ id, weight: 1 })(() => {
          busy(ms)();
          order.push(id);
        }),
      );
    await Promise.all([...run('heavy', 10, 4), ...run('light', 0, 20)]);
    assert.ok(order.lastIndexOf('light') <= 21, String(order));
  });

  test('end when work that can be divided has taken its time', async () => {
    let steps = 0;
    await turnsOf({ id: 'slices', weight: 1 })((isOver) => {
      do {
        busy(0.2)();
        steps += 1;
      } while (!isOver());
    });
    assert.ok(steps > 0 && steps < 100, `${steps} steps`);
  });

  test('go on after work that failed', async () => {
    const failed = new Error('failed');
    const inTurn = turnsOf({ id: 'failing', weight: 1 });
    await assert.rejects(
      inTurn(() => {
        throw failed;
      }),
      failed,
    );
    assert.equal(await inTurn(async () => 'done'), 'done');
  });
});

const often = { everyMs: 10_000, onError: assert.ifError };

test('rounds never overlap, and calls during a round share the next one', async () => {
  const chores = new Chores(async () => null, systemClock);
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
  const chores = new Chores(async () => null, systemClock);
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
  const chores = new Chores(async () => null, systemClock);
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
