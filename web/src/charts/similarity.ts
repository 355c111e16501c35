export type Matrix = readonly (readonly number[])[];

/** Cosine similarities; the vectors have unit length, so these are their dot products. */
export function similaritiesOf(vectors: Matrix): Matrix {
  return vectors.map((a) => vectors.map((b) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)));
}

export const formatSimilarity = (similarity: number): string => similarity.toFixed(2);

/** From the page's own ground to the full colour; the ink changes where the ground grows dark. */
export function heatOf(similarity: number): { background: string; color: string } {
  const share = Math.round(Math.min(1, Math.max(0, similarity)) * 100);
  return {
    background: `color-mix(in oklab, var(--color-accent) ${share}%, var(--color-raised))`,
    color: share > 55 ? 'var(--color-on-accent)' : 'var(--color-ink)',
  };
}
