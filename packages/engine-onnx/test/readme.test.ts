import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/directory.ts';
import { provideModel } from '../../../test/helpers/model-directory.ts';
import { runReadme } from '../../../test/helpers/readme.ts';

test('the example on the page works', async () => {
  using directory = temporaryDirectory();
  // The page converts the model, which takes long: it finds a conversion.
  await provideModel(directory.path);
  const env = { DATA_DIR: directory.path };
  assert.match(await runReadme('engine-onnx', env), /^\d+ 512 int8\n$/);
});
