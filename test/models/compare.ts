import { cosine } from '../../packages/engine/src/index.ts';
import { pearson, spearman } from '../helpers/sts-benchmark.ts';

export interface Difference {
  readonly text: string;
  readonly what: string;
}

/** Returns the texts whose ids differ. */
export function differingIds(
  texts: readonly string[],
  actual: readonly (readonly number[])[],
  expected: readonly (readonly number[])[],
): Difference[] {
  return texts.flatMap((text, i) => {
    const [ours, theirs] = [actual[i]!, expected[i]!];
    const at = Array.from(theirs, (_, place) => place).find((place) => ours[place] !== theirs[place]);
    if (at === undefined && ours.length === theirs.length) return [];
    const from = at ?? theirs.length;
    const what = `${ours.length} tokens, expected ${theirs.length}; at ${from}: ${ours.slice(from, from + 6)}, expected ${theirs.slice(from, from + 6)}`;
    return [{ text, what }];
  });
}

/** Returns the texts whose vectors are less similar than `atLeast`, and the lowest similarity. */
export function differingVectors(
  texts: readonly string[],
  actual: readonly Float32Array[],
  expected: readonly Float32Array[],
  atLeast: number,
): { lowest: number; differences: Difference[] } {
  const similarities = texts.map((_, i) => cosine(actual[i]!, expected[i]!));
  return {
    lowest: Math.min(...similarities),
    differences: texts.flatMap((text, i) =>
      similarities[i]! >= atLeast ? [] : [{ text, what: `cosine ${similarities[i]!.toFixed(6)}` }],
    ),
  };
}

/** Returns how similar the vectors of neighbouring texts are on average: near 1, a comparison would show nothing. */
export function similarityOfNeighbours(vectors: readonly Float32Array[]): number {
  const similarities = vectors.slice(1).map((vector, i) => cosine(vector, vectors[i]!));
  return similarities.reduce((sum, value) => sum + value, 0) / similarities.length;
}

/** Correlations of the similarities of pairs with what people said, on the STS Benchmark. */
export function correlations(
  vectorOf: (text: string) => Float32Array,
  pairs: readonly { sentences: readonly [string, string]; similarity: number }[],
): { spearman: number; pearson: number } {
  const ours = pairs.map(({ sentences: [a, b] }) => cosine(vectorOf(a), vectorOf(b)));
  const theirs = pairs.map(({ similarity }) => similarity);
  return { spearman: spearman(ours, theirs), pearson: pearson(ours, theirs) };
}
