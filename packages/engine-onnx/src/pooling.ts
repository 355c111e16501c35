import type { variables } from '../../engine/src/index.ts';

export type PoolingMode = (typeof variables.poolingModes)[number];

/** One text in a batch. Its tokens' vectors are `hidden[start]` to before `hidden[start + tokens × dimensions]`. */
export interface TokenVectors {
  readonly hidden: Float32Array;
  readonly start: number;
  /** At least 1. Padding follows. */
  readonly tokens: number;
}

type Pool = (vectors: TokenVectors, into: Float32Array) => void;

/** Each writes one vector, not normalized, into `into`, which has the length of a token's vector. */
export const poolings: Readonly<Record<PoolingMode, Pool>> = {
  mean({ hidden, start, tokens }, into) {
    const { length } = into;
    const sums = new Float64Array(length);
    for (let token = 0, at = start; token < tokens; token++, at += length) {
      for (let i = 0; i < length; i++) sums[i]! += hidden[at + i]!;
    }
    for (let i = 0; i < length; i++) into[i] = sums[i]! / tokens;
  },
  cls({ hidden, start }, into) {
    into.set(hidden.subarray(start, start + into.length));
  },
  last({ hidden, start, tokens }, into) {
    const at = start + (tokens - 1) * into.length;
    into.set(hidden.subarray(at, at + into.length));
  },
  max({ hidden, start, tokens }, into) {
    const { length } = into;
    into.set(hidden.subarray(start, start + length));
    for (let token = 1, at = start + length; token < tokens; token++, at += length) {
      for (let i = 0; i < length; i++) {
        const value = hidden[at + i]!;
        if (value > into[i]!) into[i] = value;
      }
    }
  },
};

// Within float32's rounding of length 1. Such a vector is left unchanged, bit by bit.
const unitTolerance = 1e-6;

/** Scales a vector to length 1. Leaves a vector of zeros unchanged. */
export function normalize(vector: Float32Array): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  if (squares === 0 || Math.abs(squares - 1) <= unitTolerance) return;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
}
