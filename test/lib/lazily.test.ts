import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from '../../src/lib/lazily.ts';

test('loads once, also for those who ask at the same time', async () => {
  let loads = 0;
  const lazy = lazily(async () => {
    loads += 1;
    return loads;
  });
  assert.equal(await lazy.loaded(), undefined);
  assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [1, 1]);
  assert.equal(await lazy.loaded(), 1);
});

test('tries again after a failure, and gives what has failed as not loaded', async () => {
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
