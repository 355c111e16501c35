import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runReadme } from '../../../test/helpers/readme.ts';
import { UpstreamServer } from '../../../test/helpers/upstream-server.ts';

test('the example on the page works', async () => {
  await using server = await new UpstreamServer().listen();
  assert.equal(await runReadme('engine-upstream', server.environment), 'true\n');
});
