import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chores } from '../../../src/lib/chores.ts';
import { systemClock } from '../../../src/lib/clock.ts';

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
