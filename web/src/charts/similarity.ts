export type Matrix = readonly (readonly number[])[];

/** Returns the cosine similarities. The vectors have unit length, so these are their dot products. */
export function similaritiesOf(vectors: Matrix): Matrix {
  return vectors.map((a) => vectors.map((b) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)));
}

/** Returns the places of texts so that similar ones are beside each other: after each, the most similar of the rest. */
export function similarOrder(similarities: Matrix): number[] {
  const rest = new Set(similarities.keys());
  const order: number[] = [];
  for (let next: number | undefined = 0; next !== undefined && rest.delete(next); ) {
    order.push(next);
    const row: readonly number[] = similarities[next] ?? [];
    next = [...rest].sort((a, b) => (row[b] ?? 0) - (row[a] ?? 0))[0];
  }
  return order;
}

/** Returns the smallest similarity of two texts, where the scale of the colors begins. */
export const leastOf = (similarities: Matrix): number => Math.min(0.99, ...similarities.flat());

export const formatSimilarity = (similarity: number): string => similarity.toFixed(2);

/** Returns a color between the page's background, for `least`, and the full color. The text contrasts with both. */
export function heatOf(similarity: number, least: number): string {
  const share = Math.round(Math.min(1, Math.max(0, (similarity - least) / (1 - least))) * 100);
  return `color-mix(in oklab, var(--color-heat) ${share}%, var(--color-raised))`;
}
