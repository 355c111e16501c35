/** Creates a graph's inputs. */
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { TokenBatch } from '../../encoder-native/src/index.ts';
import { columnsOf } from './batch.ts';

export type Feeds = Record<string, Tensor>;

/** Writes the elements of one row's `tokens` tokens, from `at` on, `step` apart. The rest of the row is zero. */
type FillRow = (row: { elements: Int32Array; at: number; step: number; tokens: number }) => void;

type Metadata = InferenceSession.ValueMetadata & { readonly isTensor: true };
const int32PerInt64 = 2;
/** The inputs of known kinds of models that can't be served. */
const unsupportedInputs: Readonly<Record<string, string>> = {
  offsets:
    'that of a static model, such as those of model2vec, which are not supported; use a model with a transformer',
  task_id:
    'that of a model with an adapter for each task, such as jina-embeddings-v3, which are not supported; use a ' +
    'model without, such as jina-embeddings-v2',
};

/**
 * Returns a function that creates the feeds of a batch: one row per text, padded on the right to the longest. For
 * models whose own code pads on the left, the mask, the positions and the index of the last token compensate. Throws
 * when the graph has an unknown input.
 */
export function feedsOf(
  inputs: readonly InferenceSession.ValueMetadata[],
  paddingId: number,
): (batch: TokenBatch) => Feeds {
  const makers = inputs.map((input) => [input.name, makerOf(input, paddingId)] as const);
  return (batch) => {
    const columns = columnsOf(batch);
    return Object.fromEntries(makers.map(([name, make]) => [name, make(batch, columns)]));
  };
}

function makerOf(
  input: InferenceSession.ValueMetadata,
  paddingId: number,
): (batch: TokenBatch, columns: number) => Tensor {
  if (!input.isTensor) throw unknownInput(input.name, 'not a tensor');
  switch (input.name) {
    case 'input_ids':
      return integers(input, ({ ids }) => rowsFrom(ids), paddingId);
    case 'attention_mask':
      return integers(input, () => ({ elements, at, step, tokens }) => {
        for (let i = 0; i < tokens; i++) elements[at + i * step] = 1;
      });
    case 'position_ids':
      return integers(input, () => ({ elements, at, step, tokens }) => {
        for (let i = 0; i < tokens; i++) elements[at + i * step] = i;
      });
    case 'token_type_ids':
      return integers(input, ({ typeIds }) => (typeIds ? rowsFrom(typeIds) : () => {}));
    case 'use_cache_branch':
      return () => new Tensor('bool', Uint8Array.of(0), [1]);
  }
  const unsupported = unsupportedInputs[input.name];
  if (unsupported) throw unknownInput(input.name, unsupported);
  if (/^past_key_values\.\d+\.(key|value)$/.test(input.name)) return emptyPast(input);
  throw unknownInput(input.name, 'unknown');
}

/** Fills the rows with the numbers of all texts, one text after the other. */
function rowsFrom(numbers: Int32Array): FillRow {
  let next = 0;
  return ({ elements, at, step, tokens }) => {
    for (let i = 0; i < tokens; i++) elements[at + i * step] = numbers[next++]!;
  };
}

/** Returns a function that creates a batch × columns tensor, filled row by row. */
function integers(
  { name, type }: Metadata,
  rowsOf: (batch: TokenBatch) => FillRow,
  padding = 0,
): (batch: TokenBatch, columns: number) => Tensor {
  if (type !== 'int64' && type !== 'int32') throw unknownInput(name, `of type ${type}`);
  // Writing the low words is five times faster than creating BigInts.
  const step = type === 'int64' ? int32PerInt64 : 1;
  return (batch, columns) => {
    const rows = batch.tokenCounts.length;
    const elements = new Int32Array(rows * columns * step);
    const fillRow = rowsOf(batch);
    batch.tokenCounts.forEach((tokens, row) => {
      const at = row * columns * step;
      fillRow({ elements, at, step, tokens });
      if (padding !== 0) for (let i = tokens; i < columns; i++) elements[at + i * step] = padding;
    });
    const shape = [rows, columns];
    return type === 'int64'
      ? new Tensor('int64', new BigInt64Array(elements.buffer), shape)
      : new Tensor('int32', elements, shape);
  };
}

/** Returns a function that creates an empty key or value cache: batch × heads × 0 × head width. */
function emptyPast({ name, type, shape }: Metadata): (batch: TokenBatch) => Tensor {
  const [, heads, , width] = shape;
  if (shape.length !== 4 || typeof heads !== 'number' || typeof width !== 'number') {
    throw unknownInput(name, `of the shape ${shape.join(' × ')}`);
  }
  const elements = { float32: Float32Array, float16: Uint16Array } as const;
  if (type !== 'float32' && type !== 'float16') throw unknownInput(name, `of type ${type}`);
  return ({ tokenCounts }) => new Tensor(type, new elements[type](0), [tokenCounts.length, heads, 0, width]);
}

const unknownInput = (name: string, why: string): Error => new Error(`the graph's input "${name}" is ${why}`);
