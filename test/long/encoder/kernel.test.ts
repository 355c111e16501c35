import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  kernelProgram,
  skip,
  skipAmx,
  skipNeon,
} from '../../../packages/encoder-native/test/kernel-program.ts';

/** `ENCODER_CALLS=100000 npm run test:long -- encoder` takes seven minutes, or more where instructions are emulated. */
const calls = Number(process.env.ENCODER_CALLS ?? 3_000);
/** Where instructions are emulated, each call takes long. */
const comparedCalls = Number(process.env.ENCODER_CALLS ?? 1_000);

describe('the kernel of the native encoder', { skip }, async () => {
  if (skip) return;
  const avx2 = await kernelProgram('avx2', '-O2');

  it(`computes ${calls} random batches as plain loops do, and touches no memory of others`, async () => {
    await avx2(calls);
  });

  for (const [name, kind, reason] of [
    ['with AMX', 'amx', skipAmx],
    ['with AMX emulated', 'emulated amx', false],
    ['with AVX-512', 'avx512', false],
    ['in plain C++', 'plain', false],
    ['on ARM64', 'neon', skipNeon],
  ] as const)
    it(`returns the same vectors ${name} as with AVX2, bit by bit`, { skip: reason }, async () => {
      const other = await kernelProgram(kind, '-O2');
      const [ofAvx2, ofOther] = await Promise.all([avx2(comparedCalls), other(comparedCalls)]);
      assert.equal(ofOther, ofAvx2);
    });
});
