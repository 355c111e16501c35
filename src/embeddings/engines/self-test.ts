/** The self-test of every model at startup, which keeps a model with wrong vectors from being served. */

/** Texts of very different length. They reveal whether padding or the other texts of a batch affect a vector. */
export const selfTestTexts: readonly string[] = ['The quick brown fox jumps over the lazy dog.', 'rain'];

/** Returns the cosine similarity of two unit vectors, or −1 if their sizes differ. */
export function cosine(a: Float32Array, b: Float32Array): number {
  return a.length === b.length ? a.reduce((sum, value, i) => sum + value * b[i]!, 0) : -1;
}
