import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plansFor, workersFor } from '../../../src/engines/thread-plan.ts';

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
