import assert from 'node:assert/strict';
import { availableParallelism, totalmem } from 'node:os';
import { test } from 'node:test';
import { usableCores, usableMemoryBytes } from '../../src/lib/machine.ts';

// What a control group takes away is seen where the tests run in one; elsewhere it is the whole machine.
test('never says more than the machine has, nor less than one core', () => {
  assert.ok(Number.isInteger(usableCores()) && usableCores() >= 1);
  assert.ok(usableCores() <= availableParallelism());
  assert.ok(usableMemoryBytes() > 0 && usableMemoryBytes() <= totalmem());
});
