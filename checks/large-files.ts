import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';

// Fails if git tracks a large file, which every clone would download forever. The built-in model is one on purpose.

const maxBytes = 1_000_000;
const allowed = 'packages/builtin-model/model/onnx/model.onnx_data';

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
const large = tracked
  .filter((file) => file !== allowed)
  .map((file) => ({ file, bytes: lstatSync(file, { throwIfNoEntry: false })?.size ?? 0 }))
  .filter(({ bytes }) => bytes > maxBytes);
for (const { file, bytes } of large)
  console.error(`${file} has ${bytes} bytes, but a tracked file may have at most ${maxBytes}`);
if (large.length > 0) process.exitCode = 1;
