import { asError, Unavailable } from '../../small/src/errors.ts';
import { PartlyFailed } from './engine.ts';

/** The outcome of a text: its vector or the error. */
export type VectorOrError = Float32Array | Error;

interface Computation<T> {
  /** Returns a vector for each text. */
  readonly compute: (texts: readonly T[]) => Promise<readonly Float32Array[]>;
  /** Reports whether one of the texts can be the cause, so that the others are worth another try without it. */
  readonly isOfTexts: (reason: unknown) => boolean;
}

/**
 * Computes texts together. If a text makes that fail, computes each half in turn until that text is alone, because the
 * others can belong to other clients. Never throws.
 */
export async function inHalves<T>(
  texts: readonly T[],
  computation: Computation<T>,
): Promise<VectorOrError[]> {
  try {
    return [...(await computation.compute(texts))];
  } catch (reason) {
    const failure = asError(reason);
    if (texts.length === 1 || !computation.isOfTexts(reason)) return texts.map(() => failure);
    const half = Math.ceil(texts.length / 2);
    const outcomes = await inHalves(texts.slice(0, half), computation);
    return [...outcomes, ...(await inHalves(texts.slice(half), computation))];
  }
}

/** Returns the vectors of all texts. Throws the Unavailable that all have in common, otherwise a PartlyFailed. */
export function vectorsOf(outcomes: readonly VectorOrError[]): Float32Array[] {
  const vectors = outcomes.filter((outcome) => outcome instanceof Float32Array);
  if (vectors.length === outcomes.length) return vectors;
  const [first] = outcomes;
  if (first instanceof Unavailable && outcomes.every((outcome) => outcome === first)) throw first;
  throw new PartlyFailed(outcomes);
}
