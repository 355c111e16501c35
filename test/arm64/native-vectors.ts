// Prints what the native encoder computes with, and a digest of its vectors, as the package in the directory of the first
// argument has it.
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeEncoder } from '../../packages/encoder-native/src/index.ts';

const [root = ''] = process.argv.slice(2);
const packages = join(root, 'dist/packages');
const native = await import(join(packages, 'encoder-native/src/index.js'));
const { readEncoder } = await import(join(packages, 'onnx-int8/src/index.js'));
const [graph] = globSync(join(packages, 'builtin-model/model/onnx/*.onnx'));
const encoder: NativeEncoder = new native.NativeEncoder(readEncoder(graph), 2);
const hash = createHash('sha256');
for (const tokenCounts of [[1], [12], [62], [300], [62, 5, 100, 1]]) {
  const length = tokenCounts.reduce((a, b) => a + b);
  const ids = Int32Array.from({ length }, (_, i) => 104 + ((i * 7_919) % 30_000));
  const { buffer } = await encoder.compute({ ids, tokenCounts }, 'mean');
  hash.update(new Uint8Array(buffer));
}
encoder.close();
console.log(JSON.stringify({ kernel: native.nativeKernel, digest: hash.digest('hex') }));
