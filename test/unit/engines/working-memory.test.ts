import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { WorkingMemory } from '../../../src/engines/working-memory.ts';

const mebibytes = (count: number): number => count << 20;

describe('the memory of running batches', () => {
  const begin = (memory: WorkingMemory, name: string, bytes: number, begun: string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = memory.use(bytes, async () => {
      begun.push(name);
      await promise;
    });
    return async () => {
      resolve();
      await done;
      await setImmediate();
    };
  };

  it('is never taken twice: a batch without room waits its turn, and a small one does not wait', async () => {
    const memory = new WorkingMemory(mebibytes(1_000));
    const giveBack = memory.hold(mebibytes(200));
    const begun: string[] = [];
    const ends = [
      begin(memory, 'first', mebibytes(500), begun),
      begin(memory, 'second', mebibytes(500), begun),
      begin(memory, 'third', mebibytes(100), begun),
      begin(memory, 'little', mebibytes(10), begun),
    ];
    await setImmediate();
    assert.deepEqual(begun, ['first', 'little']);
    await ends[0]!();
    assert.deepEqual(begun, ['first', 'little', 'second', 'third']);
    for (const end of ends) await end();
    giveBack();
    assert.equal(memory.freeBytes, mebibytes(1_000));
  });

  it('is taken by a batch larger than all of it when nothing else runs, and is released after a failure', async () => {
    const memory = new WorkingMemory(mebibytes(100));
    const begun: string[] = [];
    const end = begin(memory, 'small', mebibytes(80), begun);
    const failing = assert.rejects(
      memory.use(mebibytes(900), async () => {
        begun.push('large');
        throw new Error('no');
      }),
      /no/,
    );
    await setImmediate();
    assert.deepEqual(begun, ['small']);
    await end();
    await failing;
    assert.deepEqual(begun, ['small', 'large']);
    assert.equal(memory.freeBytes, mebibytes(100));
  });
});
