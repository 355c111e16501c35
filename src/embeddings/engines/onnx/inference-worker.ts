/** A thread that computes embeddings: ONNX Runtime blocks the thread that it is called from. */
import { workerData } from 'node:worker_threads';
import { env, InferenceSession, type Tensor } from 'onnxruntime-node';
import { answerCalls } from '../../../lib/threads/answer-calls.ts';
import { type Batch, columnsOf, feedsOf } from './graph-inputs.ts';
import { chooseOutput, hasShape } from './graph-output.ts';
import type { Pooling } from './model-directory.ts';
import { normalize, poolings } from './pooling.ts';
import { lowerThreadPriority } from './thread-priority.ts';

export interface InferenceData {
  readonly modelFile: string;
  readonly threads: number;
  readonly pooling: Pooling;
  /** Of a vector, where the graph doesn't say it. */
  readonly dimensions: number | undefined;
  readonly paddingId: number;
  /** Whether a text's vector would change with the texts beside it; then each is computed alone. */
  readonly isQuantizing: boolean;
  /** Whether memory is kept for the next batch, which a long text's would be for all time. */
  readonly keepsMemory: boolean;
}

/** What the thread says when it is ready. */
export interface InferenceReady {
  readonly dimensions: number;
}

// ONNX Runtime's own threads inherit it.
lowerThreadPriority();
const { modelFile, threads, pooling, paddingId, isQuantizing, keepsMemory, ...stated }: InferenceData =
  workerData;
// It prints coloured lines to stderr, with token ids of texts in them. What fails is thrown as well.
env.logLevel = 'fatal';
const logSeverityLevel = 4;
const session = await InferenceSession.create(modelFile, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  enableCpuMemArena: keepsMemory,
  logSeverityLevel,
});
const { output, feeds, dimensions } = describe();

answerCalls(
  async (batch: Batch) => {
    const value = isQuantizing ? await runOneByOne(batch) : await run(batch);
    return { value, transfer: [value.buffer as ArrayBuffer] };
  },
  { ready: { dimensions } satisfies InferenceReady },
);

function describe() {
  try {
    const feeds = feedsOf(session.inputMetadata, paddingId);
    const output = chooseOutput(session.outputMetadata, pooling);
    const dimensions = output.dimensions ?? stated.dimensions;
    if (!dimensions) throw new Error('neither the graph nor a file says how many dimensions a vector has');
    return { output, feeds, dimensions };
  } catch (error) {
    throw new Error(`${modelFile}: ${(error as Error).message}`);
  }
}

/** `tokenCounts.length` × `dimensions`, unit vectors. */
async function run(batch: Batch): Promise<Float32Array> {
  const texts = batch.tokenCounts.length;
  // To a pooled graph, a text without a token is one; no pooling can make a vector of nothing.
  const fed = output.pooling && batch.tokenCounts.includes(0) ? withPadding(batch) : batch;
  const tensor = (await session.run(feeds(fed), [output.name], { logSeverityLevel }))[output.name];
  const columns = columnsOf(fed);
  if (!tensor || !hasShape(tensor.dims, { texts, columns, dimensions }, output.pooling)) {
    throw new Error(`${modelFile}: "${output.name}" is of the shape ${tensor?.dims.join(' × ')}`);
  }
  const values = floatsOf(tensor);
  const vectors = output.pooling ? new Float32Array(texts * dimensions) : values;
  for (let text = 0; text < texts; text++) {
    const vector = vectors.subarray(text * dimensions, (text + 1) * dimensions);
    if (output.pooling) {
      const start = text * columns * dimensions;
      poolings[output.pooling]({ hidden: values, start, tokens: fed.tokenCounts[text]! }, vector);
    }
    normalize(vector);
  }
  return vectors;
}

async function runOneByOne({ ids, tokenCounts }: Batch): Promise<Float32Array> {
  const vectors = new Float32Array(tokenCounts.length * dimensions);
  let start = 0;
  for (const [text, count] of tokenCounts.entries()) {
    const end = start + count;
    vectors.set(await run({ ids: ids.subarray(start, end), tokenCounts: [count] }), text * dimensions);
    start = end;
  }
  return vectors;
}

/** Gives one padding token to each text that has none. */
function withPadding({ ids, tokenCounts }: Batch): Batch {
  const padded: number[] = [];
  let start = 0;
  for (const count of tokenCounts) {
    if (count === 0) padded.push(paddingId);
    else padded.push(...ids.subarray(start, start + count));
    start += count;
  }
  return { ids: Int32Array.from(padded), tokenCounts: tokenCounts.map((count) => Math.max(count, 1)) };
}

function floatsOf({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  // A Float16Array: this Node has it, and ONNX Runtime then answers it.
  if (type === 'float16' && !(data instanceof Uint16Array)) return new Float32Array(data as Iterable<number>);
  throw new Error(`${modelFile}: "${output.name}" is ${type}, neither float32 nor float16`);
}
