/** A thread that computes embeddings: ONNX Runtime blocks the thread that it is called from. */
import { workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { answerCalls } from './answer-calls.ts';
import { lowerThreadPriority } from './thread-priority.ts';

export interface InferenceData {
  readonly modelFile: string;
  readonly threads: number;
}

/** Of all texts, one after the other: `ids` holds `tokenCounts[0]` tokens of the first text, and so on. */
export interface Batch {
  readonly ids: Int32Array;
  readonly tokenCounts: readonly number[];
}

const outputName = 'sentence_embedding';
const int32PerInt64 = 2;

// ONNX Runtime's own threads inherit it.
lowerThreadPriority();
const { modelFile, threads }: InferenceData = workerData;
const session = await InferenceSession.create(modelFile, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
});
if (!session.outputNames.includes(outputName)) {
  throw new Error(`${modelFile}: no output "${outputName}", but ${session.outputNames.join(', ')}`);
}

answerCalls(async (batch: Batch) => {
  const outputs = await session.run(pad(batch), [outputName]);
  const vectors = outputs[outputName]?.data;
  if (!(vectors instanceof Float32Array)) throw new Error(`${modelFile}: "${outputName}" is not float32`);
  return { value: vectors, transfer: [vectors.buffer as ArrayBuffer] };
});

/** One row a text, as long as the longest. */
function pad({ ids, tokenCounts }: Batch): Record<string, Tensor> {
  // A graph wants a column even where no text has a token.
  const columns = tokenCounts.reduce((longest, count) => Math.max(longest, count), 1);
  const inputIds = new BigInt64Array(tokenCounts.length * columns);
  const attentionMask = new BigInt64Array(inputIds.length);
  // Writing the low words is five times faster than making BigInts.
  const idWords = new Int32Array(inputIds.buffer);
  const maskWords = new Int32Array(attentionMask.buffer);
  let next = 0;
  tokenCounts.forEach((count, row) => {
    for (let column = 0; column < count; column++) {
      const word = (row * columns + column) * int32PerInt64;
      idWords[word] = ids[next++]!;
      maskWords[word] = 1;
    }
  });
  const shape = [tokenCounts.length, columns];
  return {
    input_ids: new Tensor('int64', inputIds, shape),
    attention_mask: new Tensor('int64', attentionMask, shape),
  };
}
