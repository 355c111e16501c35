import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

// Fails if git tracks a large file, which every clone would download forever. The built-in model is one on purpose.

const maxBytes = 1_000_000;
const allowed = 'packages/builtin-model/model/';

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
const large = tracked
  .filter((file) => !file.startsWith(allowed))
  .map((file) => ({ file, bytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0 }))
  .filter(({ bytes }) => bytes > maxBytes);
for (const { file, bytes } of large)
  console.error(`${file} has ${bytes} bytes, and a tracked file may have ${maxBytes}`);
if (large.length > 0) process.exitCode = 1;
