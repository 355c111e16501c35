/** How the vectors of a text's tokens become one. */
export const poolingModes = ['mean', 'cls', 'last', 'max'] as const;
export type PoolingMode = (typeof poolingModes)[number];

/** Of one text in a batch: its tokens' vectors are `hidden[start]` up to `hidden[start + tokens × dimensions]`. */
export interface TokenVectors {
  readonly hidden: Float32Array;
  readonly start: number;
  /** 1 or more; what is behind them is padding. */
  readonly tokens: number;
}

type Pool = (vectors: TokenVectors, into: Float32Array) => void;

/** Writes one vector, not normalised, into `into`, whose length is the vectors'. */
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

// What float32 leaves of a length of 1: such a vector stays as it is, to the bit.
const unitTolerance = 1e-6;

/** Makes the length 1; a vector of zeros stays one. */
export function normalize(vector: Float32Array): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  if (squares === 0 || Math.abs(squares - 1) <= unitTolerance) return;
  const scale = 1 / Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
}
