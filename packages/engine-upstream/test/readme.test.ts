import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runReadme } from '../../../test/helpers/readme.ts';
import { UpstreamServer } from '../../../test/helpers/upstream-server.ts';

test('the example on the page works', async () => {
  await using server = await new UpstreamServer().listen();
  const directory = fileURLToPath(new URL('..', import.meta.url));
  assert.equal(await runReadme(directory, server.environment), 'true\n');
});
