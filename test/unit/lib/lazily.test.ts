import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazily } from '../../../src/lib/lazily.ts';

test('a lazy value loads once, even for concurrent callers', async () => {
  let loads = 0;
  const lazy = lazily(async () => {
    loads += 1;
    return loads;
  });
  assert.equal(await lazy.loaded(), undefined);
  assert.deepEqual(await Promise.all([lazy.get(), lazy.get()]), [1, 1]);
  assert.equal(await lazy.loaded(), 1);
});

test('a lazy value tries again after a failure, and reports the failed one as not loaded', async () => {
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
