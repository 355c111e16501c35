import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FixtureEngine } from '../../../test/unit/embeddings/fixture-engine.ts';
import { measureOverhead } from '../src/onnx-threads.ts';
import { plansFor, workersBeside, workersFor } from '../src/thread-plan.ts';
import { WorkingMemory } from '../src/working-memory.ts';

/** Measures an engine whose texts take a microsecond for each token, and `overheadMicroseconds` besides. */
function measured(overheadMicroseconds: number): Promise<number> {
  let user = 0;
  const engine = new FixtureEngine();
  engine.beforeRun = async (batch) => {
    for (const { tokenCount } of batch) user += tokenCount + overheadMicroseconds;
  };
  return measureOverhead(engine, (before) => ({ user: user - (before?.user ?? 0), system: 0 }));
}

it('the overhead of a text is measured in tokens, from 1 to 64', async () => {
  assert.equal(await measured(0), 1);
  assert.equal(await measured(30), 30);
  assert.equal(await measured(1_000), 64);
});

const gigabyte = 1e9;

describe('the default use of a machine’s cores', () => {
  it('has a worker for each core, or for as many threads as a batch uses', () => {
    const machine = { cores: 8, memoryBytes: 16 * gigabyte };
    assert.equal(workersFor(0.1 * gigabyte, 1, machine), 8);
    assert.equal(workersFor(0.1 * gigabyte, 4, machine), 2);
    assert.equal(workersFor(0.1 * gigabyte, 3, machine), 2);
  });

  it('has at most as many workers as fit into half of the memory, and at least one', () => {
    assert.equal(workersFor(1 * gigabyte, 1, { cores: 8, memoryBytes: 8 * gigabyte }), 2);
    assert.equal(workersFor(5 * gigabyte, 1, { cores: 8, memoryBytes: 8 * gigabyte }), 1);
    assert.equal(workersFor(1, 16, { cores: 8, memoryBytes: 8 * gigabyte }), 1);
  });

  it('has a worker for each core that fits beside one copy of the weights, if the workers share them', () => {
    const machine = { cores: 8, memoryBytes: 16 * gigabyte };
    assert.equal(workersBeside(2.4 * gigabyte, 1, machine, gigabyte), 8);
    assert.equal(workersBeside(2.4 * gigabyte, 1, machine, 4 * gigabyte), 2);
  });

  it('is measured with every even division of all cores, and of half of them if there are four or more', () => {
    const pairs = (cores: number) => plansFor(cores).map((plan) => [plan.workers, plan.threadsPerWorker]);
    assert.deepEqual(pairs(1), [[1, 1]]);
    assert.deepEqual(pairs(2), [
      [2, 1],
      [1, 2],
    ]);
    assert.deepEqual(pairs(4), [
      [4, 1],
      [2, 2],
      [1, 4],
      [2, 1],
      [1, 2],
    ]);
  });
});

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
