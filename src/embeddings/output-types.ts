/** The types of numbers in responses. The packed ones have one bit for each dimension. */
export const outputTypes = ['float', 'int8', 'uint8', 'binary', 'ubinary'] as const;
export type OutputType = (typeof outputTypes)[number];
/** Also what Cohere calls a type. */
export type EncodedType = OutputType | 'base64';
export type Numbers = Float32Array | Int8Array | Uint8Array;

export const isOutputType = (word: string): word is OutputType =>
  (outputTypes as readonly string[]).includes(word);

/** A vector, and how a response has it. */
export class EncodedVector {
  readonly vector: Float32Array;
  readonly type: EncodedType;

  constructor(vector: Float32Array, type: EncodedType) {
    this.vector = vector;
    this.type = type;
  }
}

/** Reports whether the number of dimensions has to be a multiple of 8. */
export const isPacked = (type: string): boolean => type === 'binary' || type === 'ubinary';

// A component of a unit vector has the standard deviation 1/√dimensions. Components beyond eight of them, of which
// hardly any model has one, are clipped. See docs/vectors.md.
const rangeDeviations = 8;

/**
 * Returns a unit vector in another type. `int8`: each component times 127·√dimensions/8, rounded and clipped to −128 to
 * 127. `uint8`: 128 more. `ubinary`: a bit for each component, 1 if it is 0 or more, the first in the highest bit of
 * the first byte. `binary`: 128 less.
 */
export function toOutputType(vector: Float32Array, type: OutputType): Numbers {
  if (type === 'float') return vector;
  if (type === 'ubinary') return packed(vector);
  if (type === 'binary') return Int8Array.from(packed(vector), (byte) => byte - 128);
  const scale = (127 * Math.sqrt(vector.length)) / rangeDeviations;
  const [numbers, shift] =
    type === 'int8' ? [new Int8Array(vector.length), 0] : [new Uint8Array(vector.length), 128];
  for (let i = 0; i < vector.length; i++)
    numbers[i] = Math.max(-128, Math.min(127, Math.round(vector[i]! * scale))) + shift;
  return numbers;
}

function packed(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length / 8);
  vector.forEach((value, i) => {
    if (value >= 0) bytes[i >> 3]! |= 0x80 >> (i & 7);
  });
  return bytes;
}
