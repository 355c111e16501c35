import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { Tokenizer } from 'tokenizers';

const command = fileURLToPath(new URL('../bin/builtin-model.js', import.meta.url));

test('the command writes a directory that ONNX Runtime and Hugging Face’s tokenizer read', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'builtin-model-'));
  try {
    execFileSync(process.execPath, [command, directory]);
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(files.filter((file) => file.includes('.')).sort(), [
      'config.json',
      join('onnx', 'model.onnx'),
      'sentence_bert_config.json',
      'tokenizer.json',
    ]);
    const tokenizer = Tokenizer.fromFile(join(directory, 'tokenizer.json'));
    const ids = (await tokenizer.encode('The quick brown fox', null)).getIds();
    const session = await InferenceSession.create(join(directory, 'onnx', 'model.onnx'));
    const [name = ''] = session.outputNames;
    const feed = (values: readonly number[]) =>
      new Tensor('int64', BigInt64Array.from(values.map(BigInt)), [1, values.length]);
    const output = await session.run({ input_ids: feed(ids), attention_mask: feed(ids.map(() => 1)) });
    assert.deepEqual(output[name]?.dims, [1, 512]);
    await session.release();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('the command refuses arguments that it does not know', () => {
  const { status, stderr } = spawnSync(process.execPath, [command, '--fast'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^Usage: builtin-model <directory>/);
});
