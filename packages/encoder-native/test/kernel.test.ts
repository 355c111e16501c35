import { it } from 'node:test';
import { kernelProgram, skip } from './kernel-program.ts';

it('the kernel computes what plain loops do, and touches no memory of others', { skip }, async () => {
  const computeAtRandom = await kernelProgram('AVX2', '-Og');
  await computeAtRandom(200);
});
