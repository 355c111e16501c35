/** What every model is asked at its start, so that wrong vectors stop it. */

/** Of very different length: where padding or neighbours have a part in a vector, these show it. */
export const selfTestTexts: readonly string[] = ['The quick brown fox jumps over the lazy dog.', 'rain'];

/** Of two unit vectors of one size; −1 where the sizes differ. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.length === b.length ? a.reduce((sum, value, i) => sum + value * b[i]!, 0) : -1;
}
