/** Converts small encoders, and computes them with ONNX Runtime. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ComputeTexts } from '../src/index.ts';
import { type EncoderKind, encoderModel } from './encoder-graph.ts';
import { type Converted, converted } from './small-graph.ts';

const paddingId = 1;
/** Token ids of texts of different lengths. */
export const texts = [5, 1, 12, 30, 2].map((length, text) =>
  Array.from({ length }, (_, i) => 2 + ((i * 37 + text * 11) % 98)),
);

export const open = (file: string) =>
  InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 4 });

/** Computes texts in one batch and returns the named outputs. */
export async function compute(
  session: InferenceSession,
  batch: readonly number[][],
  names: readonly string[],
) {
  const columns = Math.max(1, ...batch.map(({ length }) => length));
  const tensorOf = (numberOf: (id: number | undefined) => number) => {
    const numbers = batch.flatMap((ids) =>
      Array.from({ length: columns }, (_, i) => BigInt(numberOf(ids[i]))),
    );
    return new Tensor('int64', BigInt64Array.from(numbers), [batch.length, columns]);
  };
  const all: Record<string, Tensor> = {
    input_ids: tensorOf((id) => id ?? paddingId),
    attention_mask: tensorOf((id) => (id === undefined ? 0 : 1)),
    token_type_ids: tensorOf(() => 0),
  };
  return session.run(Object.fromEntries(session.inputNames.map((name) => [name, all[name]!])), names);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

export const computeTexts: ComputeTexts = async function* (graph, names) {
  const session = await open(graph);
  for (const text of texts) yield compute(session, [text], names);
};

/** Writes an encoder and converts it. */
export const convert = (
  kind: EncoderKind,
  how: { computeTexts?: ComputeTexts } = { computeTexts },
): Promise<Converted> => converted(encoderModel(kind), {}, how);
