import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kernelProgram, skip } from '../../../packages/encoder-native/test/kernel-program.ts';

/** `ENCODER_CALLS=100000 npm run test:long -- encoder` takes seven minutes, or more where AVX-512 is emulated. */
const calls = Number(process.env.ENCODER_CALLS ?? 3_000);
/** Where AVX-512 is emulated, each call takes long. */
const comparedCalls = Number(process.env.ENCODER_CALLS ?? 1_000);

describe('the kernel of the native encoder', { skip }, async () => {
  if (skip) return;
  const [avx2, avx512] = await Promise.all([kernelProgram('AVX2', '-O2'), kernelProgram('AVX-512', '-O2')]);

  it(`computes ${calls} random batches as plain loops do, and touches no memory of others`, async () => {
    await avx2(calls);
  });

  it('returns the same vectors with AVX-512 as with AVX2, bit by bit', async () => {
    const [ofAvx2, ofAvx512] = await Promise.all([avx2(comparedCalls), avx512(comparedCalls)]);
    assert.equal(ofAvx512, ofAvx2);
  });
});
