import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runReadme } from '../../../test/helpers/readme.ts';

test('the example on the page works', async () => {
  assert.equal(await runReadme(fileURLToPath(new URL('..', import.meta.url))), '[ true, false, true ]\n');
});
