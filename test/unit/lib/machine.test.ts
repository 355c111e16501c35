import assert from 'node:assert/strict';
import { availableParallelism, totalmem } from 'node:os';
import { test } from 'node:test';
import { usableCores, usableMemoryBytes } from '../../../src/lib/machine.ts';

// The limits of a control group are tested only where the tests run in one; elsewhere, the whole machine counts.
test('the figures never exceed the machine, and have at least one core', () => {
  assert.ok(Number.isInteger(usableCores()) && usableCores() >= 1);
  assert.ok(usableCores() <= availableParallelism());
  assert.ok(usableMemoryBytes() > 0 && usableMemoryBytes() <= totalmem());
});
