/** Compares one model, from the pull to the vectors that HTTP returns, with sentence-transformers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputType } from '../../packages/engine/src/index.ts';
import { readStsBenchmark } from '../helpers/sts-benchmark.ts';
import {
  correlations,
  type Difference,
  differingIds,
  differingVectors,
  similarityOfNeighbours,
} from './compare.ts';
import { type Reference, referenceOf } from './reference.ts';
import { embedded, idsOf, refusalOf, withModel } from './served.ts';

export interface Comparison {
  /** The model's directory, as the hub has it. */
  readonly directory: string;
  readonly id: string;
  /** The address of the hub. */
  readonly endpoint: string;
  readonly texts: readonly string[];
  /** A JSON file that contains them. */
  readonly textsFile: string;
  /** The share of texts that sentence-transformers may read otherwise. Their vectors are left out. */
  readonly mayReadOtherwise: number;
}

export interface Compared {
  readonly facts: readonly string[];
  readonly differences: readonly Difference[];
}

/** A graph that is quantized, or that the service quantizes. */
export interface QuantizedGraph {
  readonly dtype: string;
  /** How much of the rank correlation on the STS Benchmark it may lose. */
  readonly mayLose: number;
}

const lowestCosine = 0.9999;

/**
 * Compares the tokens and vectors of all texts, as documents and, if the model has a prompt for queries, as queries.
 */
export async function compareModel(comparison: Comparison): Promise<Compared> {
  const { texts } = comparison;
  return await withModel(comparison, async (service, directory) => {
    const facts: string[] = [];
    const differences: Difference[] = [];
    for (const inputType of inputTypesOf(comparison)) {
      const reference = referenceFor(comparison, inputType);
      const ids = differingIds(texts, await idsOf(directory, texts, inputType), reference.ids);
      const actual = await embedded(service, texts, inputType);
      const isRead = (_: unknown, i: number): boolean => !reference.otherwise.has(i);
      const expected = reference.vectors.filter(isRead);
      const vectors = differingVectors(texts.filter(isRead), actual.filter(isRead), expected, lowestCosine);
      differences.push(...ids, ...vectors.differences);
      if (reference.otherwise.size > texts.length * comparison.mayReadOtherwise) {
        differences.push({ text: inputType, what: 'sentence-transformers reads too many texts otherwise' });
      }
      facts.push(
        `as ${inputType}: ${ids.length} of ${texts.length} texts with other tokens; cosine at least ${vectors.lowest.toFixed(7)}, ` +
          `and ${similarityOfNeighbours(reference.vectors).toFixed(2)} between different texts; ` +
          `${reference.otherwise.size} texts that sentence-transformers reads otherwise`,
      );
    }
    return { facts, differences };
  });
}

/** Compares the correlations on the STS Benchmark, in full precision and with each of the quantized graphs. */
export async function compareQuality(
  comparison: Comparison,
  quantized: readonly QuantizedGraph[],
): Promise<Compared> {
  const pairs = await readStsBenchmark();
  const texts = [...new Set(pairs.flatMap((pair) => pair.sentences))];
  const correlate = (vectors: readonly Float32Array[]) => {
    const places = new Map(texts.map((text, i) => [text, i]));
    return correlations((text) => vectors[places.get(text)!]!, pairs);
  };
  const reference = referenceFor(comparison, 'document');
  const known = new Map(comparison.texts.map((text, i) => [text, reference.vectors[i]!]));
  const best = correlate(texts.map((text) => known.get(text)!));
  const facts = [`STS-B, sentence-transformers: ${shown(best)}`];
  const differences: Difference[] = [];
  for (const { dtype, mayLose } of [{ dtype: undefined, mayLose: 1e-4 }, ...quantized]) {
    const vectors = await withModel({ ...comparison, ...(dtype && { dtype }) }, (service) =>
      embedded(service, texts, 'document'),
    );
    const ours = correlate(vectors);
    facts.push(`STS-B, ${dtype ?? 'float32'}: ${shown(ours)}`);
    if (ours.spearman >= best.spearman - mayLose) continue;
    differences.push({ text: `STS-B, ${dtype ?? 'float32'}`, what: `loses more than ${mayLose}` });
  }
  return { facts, differences };
}

/** A model that can't be served exactly has to be refused with a message that contains `why`. */
export async function compareRefusal(comparison: Comparison, why: string): Promise<Compared> {
  const refusal = await refusalOf(comparison);
  const line = refusal.trim().split('\n').at(-1) ?? '';
  const isRight = line.includes(why) && line.includes(comparison.id.split('/')[1]!);
  return {
    facts: [`refused: ${line}`],
    differences: isRight ? [] : [{ text: comparison.id, what: `not refused with "${why}"` }],
  };
}

function inputTypesOf({ directory }: Comparison): InputType[] {
  const { prompts } = JSON.parse(readFileSync(join(directory, 'config_sentence_transformers.json'), 'utf8'));
  return prompts?.query ? ['document', 'query'] : ['document'];
}

function referenceFor({ directory, textsFile }: Comparison, inputType: InputType): Reference {
  return referenceOf({ directory, texts: textsFile, inputType });
}

const shown = ({ spearman, pearson }: { spearman: number; pearson: number }): string =>
  `Spearman ${spearman.toFixed(4)}, Pearson ${pearson.toFixed(4)}`;
