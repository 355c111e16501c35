/** Chooses the graph's output that the vectors are taken from. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Pooling } from './model-directory.ts';
import type { PoolingMode } from './pooling.ts';

export interface GraphOutput {
  readonly name: string;
  /** Null if the output already has one vector per text. */
  readonly pooling: PoolingMode | null;
  /** Undefined if the graph does not state the vectors' size. */
  readonly dimensions: number | undefined;
}

const pooledName = 'sentence_embedding';
const tokenNames = ['last_hidden_state', 'token_embeddings'];
const tokenRank = 3;

/**
 * Returns the graph's own `sentence_embedding`, which includes all steps of the model, unless a pooling was configured.
 * Otherwise returns the tokens' vectors. Throws when there is neither, or when no file states the pooling.
 */
export function chooseOutput(
  outputs: readonly InferenceSession.ValueMetadata[],
  pooling: Pooling,
): GraphOutput {
  const tensors = outputs.filter((output) => output.isTensor);
  const dimensionsOf = (output: { shape: readonly (number | string)[] }): number | undefined => {
    const size = output.shape.at(-1);
    return typeof size === 'number' && size > 0 ? size : undefined;
  };
  const pooled = tensors.find(({ name }) => name === pooledName);
  if (pooled && !pooling.asked) {
    const { name, type, shape } = pooled;
    refuseType(name, type);
    // [texts, 1, size] is also one vector per text. Any other rank, or one column per token, is not.
    const isOne = shape.length === 2 || (shape.length === tokenRank && Number(shape[1]) === 1);
    if (shape.length > 0 && !isOne) {
      throw new Error(`the output "${name}" has the shape ${shape.join(' × ')}, not one vector per text`);
    }
    return { name, pooling: null, dimensions: dimensionsOf(pooled) };
  }
  const tokens =
    tensors.find(({ name }) => tokenNames.includes(name)) ??
    tensors.find(({ type, shape }) => type.startsWith('float') && shape.length === tokenRank);
  if (!tokens) {
    const names = outputs.map(({ name }) => name).join(', ');
    throw new Error(`no output "${pooledName}" and none with the tokens' vectors, but ${names}`);
  }
  const { name, type, shape } = tokens;
  refuseType(name, type);
  if (shape.length > 0 && shape.length !== tokenRank) {
    throw new Error(`the output "${name}" has the shape ${shape.join(' × ')}, not one vector per token`);
  }
  if (!pooling.mode) throw new Error(pooling.problem);
  return { name, pooling: pooling.mode, dimensions: dimensionsOf(tokens) };
}

function refuseType(name: string, type: string): void {
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
