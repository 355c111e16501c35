export type Matrix = readonly (readonly number[])[];

/** Returns the cosine similarities. The vectors have unit length, so these are their dot products. */
export function similaritiesOf(vectors: Matrix): Matrix {
  return vectors.map((a) => vectors.map((b) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)));
}

export const formatSimilarity = (similarity: number): string => similarity.toFixed(2);

/** Returns a color between the page's background and the full color. The text contrasts with both. */
export function heatOf(similarity: number): string {
  const share = Math.round(Math.min(1, Math.max(0, similarity)) * 100);
  return `color-mix(in oklab, var(--color-heat) ${share}%, var(--color-raised))`;
}
