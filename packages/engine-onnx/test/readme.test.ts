import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { runReadme } from '../../../test/helpers/readme.ts';

test('the example on the page works', async () => {
  using directory = temporaryDirectory();
  const env = { DATA_DIR: directory.path };
  assert.match(await runReadme('engine-onnx', env), /^\d+ 384 int8\n$/);
});
