import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kernelProgram, skip } from './kernel-program.ts';

it('the kernel computes what plain loops do, and touches no memory of others, also in plain C++ with the same vectors', {
  skip,
}, async () => {
  const programs = await Promise.all([kernelProgram('avx2', '-Og'), kernelProgram('plain', '-Og')]);
  const [ofAvx2, ofPlain] = await Promise.all(programs.map((computeAtRandom) => computeAtRandom(200)));
  assert.equal(ofPlain, ofAvx2);
});
