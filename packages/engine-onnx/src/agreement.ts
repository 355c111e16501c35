/** Measures how close the vectors of two models are. */
import { closeness, cosine, type Engine, type PreparedText, sampleFor } from '../../engine/src/index.ts';
import { sampleTexts } from './sample-texts.ts';

export interface Agreement {
  /**
   * The correlation of the similarities of all pairs of texts, in one model and in the other, or of their scores.
   * Searches rank by
   * similarity. A cosine between two vectors of a text says little about that: in many models, all vectors have a large
   * part in common.
   */
  readonly correlation: number;
  /** The lowest `closeness` of the two vectors or scores of a sample text. −1 if they differ in size, like the mean. */
  readonly lowestCosine: number;
  /** That text. Conversions before version 5 don't state it. */
  readonly lowestText?: string;
  readonly meanCosine: number;
}

export interface Samples<P> {
  readonly sources: readonly string[];
  /** The same, prepared. */
  readonly texts: readonly P[];
  readonly vectors: readonly Float32Array[];
}

/** Computes the sample texts, one at a time, because the model may need much memory. */
export async function computeSamples<P extends PreparedText>(engine: Engine<P>): Promise<Samples<P>> {
  const sources = samplesOf(engine);
  const texts = await engine.prepare(sources, 'document');
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(...(await engine.run([text])));
  return { sources, texts, vectors };
}

/** A cross-encoder reads each text as the document for several queries, one of which is the text itself. */
const queryDistances = [0, 1, 7];
const samplesOf = ({ model }: Pick<Engine, 'model'>): readonly string[] =>
  model.task === 'rerank'
    ? queryDistances.flatMap((distance) =>
        sampleTexts.map((text, i) =>
          sampleFor(model, text, sampleTexts[(i + distance) % sampleTexts.length]),
        ),
      )
    : sampleTexts;

/** Compares the vectors or the scores of the same texts. */
export function agreementOf<P>(
  { sources, vectors: before }: Samples<P>,
  { vectors: after }: Pick<Samples<P>, 'vectors'>,
): Agreement {
  // Rounding can give a little more than 1.
  const cosines = before.map((vector, i) => Math.min(1, closeness(vector, after[i]!)));
  const lowestCosine = Math.min(...cosines);
  return {
    correlation: correlation(similarities(before), similarities(after)),
    lowestCosine,
    lowestText: sources[cosines.indexOf(lowestCosine)]!,
    meanCosine: mean(cosines),
  };
}

/** Returns the cosine of each pair, or the scores. */
const similarities = (vectors: readonly Float32Array[]): number[] =>
  vectors[0]?.length === 1
    ? vectors.map(([score = 0]) => score)
    : vectors.flatMap((vector, i) => vectors.slice(0, i).map((other) => cosine(vector, other)));

/**
 * Pearson's correlation. Unlike a rank correlation, it weighs pairs whose similarity is unusual, as search results
 * do.
 */
export function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [fromA, fromB] = [a[i]! - meanA, b[i]! - meanB];
    product += fromA * fromB;
    squaresA += fromA ** 2;
    squaresB += fromB ** 2;
  }
  return Math.min(1, product / Math.sqrt(squaresA * squaresB));
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
