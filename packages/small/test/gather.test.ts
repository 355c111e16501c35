import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Gather } from '../src/gather.ts';

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

describe('items that are gathered for a time', () => {
  const gatherInPairs = () => {
    const flushed: string[][] = [];
    const gather = new Gather<string, string>(
      async (items) => {
        flushed.push(items);
        return items;
      },
      { maxItems: 2, gatherMs: 60_000 },
    );
    return { gather, flushed };
  };

  test('are flushed when so many wait as a flush takes', async () => {
    const { gather, flushed } = gatherInPairs();
    const added = [gather.add('a')];
    await new Promise(setImmediate);
    added.push(gather.add('b'));
    await Promise.all(added);
    assert.deepEqual(flushed, [['a', 'b']]);
  });

  test('are flushed at once when somebody waits for the end', async () => {
    const { gather, flushed } = gatherInPairs();
    for (const item of ['a', 'b', 'c']) void gather.add(item);
    await gather.idle();
    assert.deepEqual(flushed, [['a', 'b'], ['c']]);
  });
});
