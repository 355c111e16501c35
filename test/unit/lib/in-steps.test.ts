import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inStepsOfEach } from '../../../src/lib/in-steps.ts';

test('an organization whose step fails is left for the next call, and the others are done', async () => {
  const waiting = new Set(['a', 'broken', 'b']);
  const done: string[] = [];
  const step = async (orgId: string) => {
    if (orgId === 'broken') throw new Error('no connection');
    done.push(orgId);
    return done.length === 1;
  };
  await assert.rejects(inStepsOfEach(waiting, step), /no connection/);
  assert.deepEqual(done, ['a', 'a', 'b']);
  assert.deepEqual([...waiting], ['broken']);
});
