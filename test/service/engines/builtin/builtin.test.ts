import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { ensureBuiltinModel } from '../../../../src/engines/builtin.ts';
import { isSealed } from '../../../../src/engines/sealed-directory.ts';
import { temporaryDirectory } from '../builtin-directory.ts';

const run = promisify(execFile);
const moduleUrl = new URL('../../../../src/engines/builtin.ts', import.meta.url).href;
const modelFile = (directory: string) => join(directory, 'onnx/model.onnx');
const inode = async (directory: string) => (await stat(modelFile(directory))).ino;

it('the built-in model is converted once, and again when it is damaged', async () => {
  const dataDir = await temporaryDirectory();
  const directory = await ensureBuiltinModel(dataDir);
  assert.equal(dirname(directory), join(dataDir, 'models'));
  const first = await inode(directory);
  assert.equal(await ensureBuiltinModel(dataDir), directory);
  assert.equal(await inode(directory), first);

  await truncate(modelFile(directory), 1_000_000);
  assert.equal(await ensureBuiltinModel(dataDir), directory);
  assert.equal(await isSealed(directory), true);
});

it('two processes that convert it at once both succeed', async () => {
  const dataDir = await temporaryDirectory();
  const script = `const { ensureBuiltinModel } = await import(${JSON.stringify(moduleUrl)});
    console.log(await ensureBuiltinModel(process.argv[1]));`;
  const start = () => run(process.execPath, ['--input-type=module', '--eval', script, dataDir]);
  const outputs = await Promise.all([start(), start()]);
  const directories = outputs.map(({ stdout }) => stdout.trim());
  assert.equal(directories[0], directories[1]);
  assert.equal(await isSealed(directories[0]!), true);
  assert.equal((await readdir(join(dataDir, 'models'))).length, 1);
});
