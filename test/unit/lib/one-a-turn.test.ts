import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnOfItsOwn } from '../../../src/lib/turns.ts';

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
