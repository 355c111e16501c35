/** Chooses the graph's output that the vectors are taken from. */
import type { StatedOutput } from '../../onnx-int8/src/index.ts';
import type { Pooling } from './modules.ts';
import type { PoolingMode } from './pooling.ts';

export interface GraphOutput {
  readonly name: string;
  /** Null if the output already has one vector per text. */
  readonly pooling: PoolingMode | null;
  /** Undefined if the graph does not state the vectors' size. */
  readonly dimensions: number | undefined;
  /** Whether it is a cross-encoder's score of a pair, which is not scaled. */
  readonly isScore: boolean;
}

/** What settings and files say about the output. */
export interface OutputChoice {
  /** The configured name. */
  readonly output: string | undefined;
  readonly pooling: Pooling;
  /** The size of a token's vectors inside the model, which `config.json` states. */
  readonly hiddenSize: number | undefined;
  /** Whether the model scores pairs. */
  readonly isCrossEncoder: boolean;
}

const pooledName = 'sentence_embedding';
const scoresName = 'logits';
const tokenNames = ['last_hidden_state', 'token_embeddings'];
/** Scores of the vocabulary, ColBERT's vectors and sparse weights have the shape of tokens' vectors, but are others. */
const otherNames = /logits|colbert|sparse/i;
const tokenRank = 3;
const setting = 'EMBEDDING_OUTPUT (output in a file)';

/**
 * Returns the configured output, otherwise the graph's own `sentence_embedding`, which includes all steps of the model,
 * otherwise the tokens' vectors. Throws when the output can't be known or contradicts the files, or when no file states
 * the pooling.
 */
export function chooseOutput(
  tensors: readonly StatedOutput[],
  { output: asked, pooling, hiddenSize, isCrossEncoder }: OutputChoice,
): GraphOutput {
  if (isCrossEncoder) return scoresOf(tensors);
  const output = asked === undefined ? recognized(tensors) : tensors.find(({ name }) => name === asked);
  if (!output) {
    const names = tensors.map(({ name }) => name).join(', ');
    throw new Error(
      asked === undefined
        ? `no output is known to have the vectors of texts or tokens; set ${setting} to the one that does: ${names}`
        : `${setting} is "${asked}", but the graph's outputs are ${names}`,
    );
  }
  refuseType(output);
  const { name, shape } = output;
  const size = shape.at(-1);
  const dimensions = typeof size === 'number' && size > 0 ? size : undefined;
  if (asked === undefined ? name === pooledName : isPerText(output)) {
    refuseShape(output, isPerText(output), 'text');
    if (pooling.isAsked) {
      throw new Error(
        `the output "${name}" has one vector per text, so no pooling applies to it; remove EMBEDDING_POOLING ` +
          `(pooling in a file), or set ${setting} to an output with one vector per token`,
      );
    }
    if (!pooling.isPartOfMore) refuseSize(output, dimensions, pooling, undefined);
    return { name, pooling: null, dimensions, isScore: false };
  }
  refuseShape(output, shape.length === tokenRank, 'token');
  refuseSize(output, dimensions, pooling, hiddenSize);
  if (!pooling.mode || pooling.isPartOfMore) throw new Error(pooling.problem);
  return { name, pooling: pooling.mode, dimensions, isScore: false };
}

/** Returns the output with one score for each pair. Throws when there is none. */
function scoresOf(tensors: readonly StatedOutput[]): GraphOutput {
  const output = tensors.find(({ name }) => name === scoresName) ?? tensors[0];
  const size = output?.shape.at(-1);
  if (output?.shape.length !== 2 || (typeof size === 'number' && size > 1)) {
    const stated = output ? `"${output.name}" has the shape ${output.shape.join(' × ')}` : 'has none';
    throw new Error(`the output must have one score for each pair of texts, but ${stated}`);
  }
  refuseType(output);
  return { name: output.name, pooling: null, dimensions: 1, isScore: true };
}

/** Returns the output that has the vectors by its name, or the only one that can have the tokens' vectors. */
function recognized(tensors: readonly StatedOutput[]): StatedOutput | undefined {
  const known = [pooledName, ...tokenNames].map((name) => tensors.find((tensor) => tensor.name === name));
  const ofTokens = tensors.filter(
    ({ type, shape }) => type.startsWith('float') && shape.length === tokenRank,
  );
  const [only] = ofTokens.length === 1 && !otherNames.test(ofTokens[0]!.name) ? ofTokens : [];
  return known.find(Boolean) ?? only;
}

/** Reports whether there is one vector per text. [texts, 1, size] is; one column per token, or another rank, is not. */
function isPerText({ name, shape }: StatedOutput): boolean {
  if (shape.length === 0) return name === pooledName;
  return shape.length === 2 || (shape.length === tokenRank && Number(shape[1]) === 1);
}

function refuseShape({ name, shape }: StatedOutput, isRight: boolean, unit: 'text' | 'token'): void {
  if (isRight || (shape.length === 0 && [pooledName, ...tokenNames].includes(name))) return;
  const stated = shape.length === 0 ? 'no stated shape' : `the shape ${shape.join(' × ')}`;
  throw new Error(`the output "${name}" has ${stated}, not one vector per ${unit}`);
}

/** Throws when the files state another size than the graph: the output then has something else than the vectors. */
function refuseSize(
  { name }: StatedOutput,
  dimensions: number | undefined,
  { dimensions: pooled, file }: Pooling,
  hiddenSize: number | undefined,
): void {
  const stated = pooled ?? hiddenSize;
  if (dimensions === undefined || stated === undefined || dimensions === stated) return;
  throw new Error(
    `the output "${name}" has vectors of the size ${dimensions}, but ${pooled ? file : 'config.json'} states ` +
      `${stated}; correct the wrong file, or set ${setting} to another output`,
  );
}

function refuseType({ name, type }: StatedOutput): void {
  if (type === 'float32' || type === 'float16') return;
  throw new Error(`the output "${name}" has the type ${type}; only float32 and float16 are supported`);
}

/** Reports whether an output has one vector per text, or, if it is to be pooled, one per column of each text. */
export function hasShape(dims: readonly number[], expected: Fed, pooling: PoolingMode | null): boolean {
  const { texts, columns, dimensions } = expected;
  const shapes =
    pooling === null
      ? [
          [texts, dimensions],
          [texts, 1, dimensions],
        ]
      : [[texts, columns, dimensions]];
  return shapes.some((shape) => shape.length === dims.length && shape.every((size, i) => size === dims[i]));
}

interface Fed {
  readonly texts: number;
  readonly columns: number;
  readonly dimensions: number;
}
