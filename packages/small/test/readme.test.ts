import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runReadme } from '../../../test/helpers/readme.ts';

test('the example on the page works', async () => {
  assert.equal(await runReadme('small'), 'true 3\n');
});
