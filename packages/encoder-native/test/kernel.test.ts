import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kernelProgram, skip } from './kernel-program.ts';

it('the kernel computes what plain loops do, and touches no memory of others, also in blocks and in plain C++ with the same vectors', {
  skip,
}, async () => {
  const kinds = ['avx2', 'emulated amx', 'plain'] as const;
  const programs = await Promise.all(kinds.map((kind) => kernelProgram(kind, '-Og')));
  const [ofAvx2, ...others] = await Promise.all(programs.map((computeAtRandom) => computeAtRandom(200)));
  assert.deepEqual(others, [ofAvx2, ofAvx2]);
});
