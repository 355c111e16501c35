/** Which of a graph's outputs the vectors come from. */
import type { InferenceSession } from 'onnxruntime-node';
import type { Pooling } from './model-directory.ts';
import type { PoolingMode } from './pooling.ts';

export interface GraphOutput {
  readonly name: string;
  /** Null: one vector a text already. */
  readonly pooling: PoolingMode | null;
  /** Undefined where the graph leaves the vectors' size open. */
  readonly dimensions: number | undefined;
}

const pooledName = 'sentence_embedding';
const tokenNames = ['last_hidden_state', 'token_embeddings'];
const tokenRank = 3;

/**
 * The graph's own `sentence_embedding`, which holds all that the model does, unless a pooling was asked for; else the
 * tokens' vectors. Throws when there is neither, or when no file says how to pool.
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
  if (pooled && !pooling.asked) return { name: pooledName, pooling: null, dimensions: dimensionsOf(pooled) };
  const tokens =
    tensors.find(({ name }) => tokenNames.includes(name)) ??
    tensors.find(({ type, shape }) => type.startsWith('float') && shape.length === tokenRank);
  if (!tokens) {
    const names = outputs.map(({ name }) => name).join(', ');
    throw new Error(`no output "${pooledName}" and none with the tokens' vectors, but ${names}`);
  }
  if (!pooling.mode) throw new Error(pooling.problem);
  return { name: tokens.name, pooling: pooling.mode, dimensions: dimensionsOf(tokens) };
}
