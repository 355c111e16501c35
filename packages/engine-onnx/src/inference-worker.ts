/** A thread that computes embeddings. ONNX Runtime blocks the thread that calls it. */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { workerData } from 'node:worker_threads';
import { env, InferenceSession, type Tensor } from 'onnxruntime-node';
import type { TokenBatch } from '../../encoder-native/src/index.ts';
import { messageOf } from '../../small/src/errors.ts';
import { serveCalls } from '../../small/src/threads/serve-calls.ts';
import { columnsOf, withPadding } from './batch.ts';
import { feedsOf } from './graph-inputs.ts';
import { chooseOutput, hasShape, type OutputChoice } from './graph-output.ts';
import { normalize, type PoolingMode, poolings } from './pooling.ts';

export interface InferenceData {
  readonly modelFile: string;
  readonly threads: number;
  readonly outputChoice: OutputChoice;
  /** The size of a vector, used if the graph doesn't state it. */
  readonly dimensions: number | undefined;
  readonly paddingId: number;
  /** Whether a text's vector would depend on the other texts of its batch. If so, each text is computed alone. */
  readonly isQuantizing: boolean;
  /** Whether to keep a batch's memory for the next one. Once kept, a long text's memory would never be freed. */
  readonly keepsMemory: boolean;
}

/** The thread's message when it is ready. */
export interface InferenceReady {
  readonly dimensions: number;
  /** Null: the graph's output has one vector per text. */
  readonly pooling: PoolingMode | null;
}

// Longest waits of the main thread in 4 s of full load on two cores: 10 to 29 ms with this difference, 10 to 17 ms with 19,
// and up to 59 ms at 0. At 19, a text beside large uploads waits a third longer for a core. The throughput stays the same.
const addedNiceness = 10;
// ONNX Runtime's threads inherit the priority.
lowerThreadPriority();
const { modelFile, threads, outputChoice, paddingId, isQuantizing, keepsMemory, ...stated }: InferenceData =
  workerData;
// Silences ONNX Runtime's log on stderr, which contains token ids of texts. Errors are also thrown.
env.logLevel = 'fatal';
const logSeverityLevel = 4;
const session = await InferenceSession.create(modelFile, {
  // Threads of one session keep spinning between batches: with two, a text takes 0.6 to 0.7 times as long as with one
  // in float32, and 1.1 times as long without spinning. They cost throughput, so the default is one thread.
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  enableCpuMemArena: keepsMemory,
  logSeverityLevel,
});
const { output, feeds, dimensions } = describe();

serveCalls(
  async (batch: TokenBatch) => {
    const value = isQuantizing ? await runOneByOne(batch) : await run(batch);
    return { value, transfer: [value.buffer as ArrayBuffer] };
  },
  { ready: { dimensions, pooling: output.pooling } satisfies InferenceReady },
);

function describe() {
  try {
    const feeds = feedsOf(session.inputMetadata, paddingId);
    const output = chooseOutput(
      session.outputMetadata.filter((output) => output.isTensor),
      outputChoice,
    );
    const dimensions = output.dimensions ?? stated.dimensions;
    if (!dimensions) throw new Error('neither the graph nor a file says how many dimensions a vector has');
    return { output, feeds, dimensions };
  } catch (error) {
    throw new Error(`${modelFile}: ${messageOf(error)}`);
  }
}

/** Returns `tokenCounts.length` unit vectors of `dimensions` numbers, or as many scores. */
async function run(batch: TokenBatch): Promise<Float32Array> {
  const texts = batch.tokenCounts.length;
  // A graph with its own pooling accepts a text without tokens. The poolings here need at least one.
  const fed = output.pooling ? withPadding(batch, paddingId) : batch;
  const tensor = (await session.run(feeds(fed), [output.name], { logSeverityLevel }))[output.name];
  const columns = columnsOf(fed);
  if (!tensor || !hasShape(tensor.dims, { texts, columns, dimensions }, output.pooling)) {
    throw new Error(`${modelFile}: "${output.name}" has the shape ${tensor?.dims.join(' × ')}`);
  }
  const values = floatsOf(tensor);
  const vectors = output.pooling ? new Float32Array(texts * dimensions) : values;
  for (let text = 0; text < texts; text++) {
    const vector = vectors.subarray(text * dimensions, (text + 1) * dimensions);
    if (output.pooling) {
      const start = text * columns * dimensions;
      poolings[output.pooling]({ hidden: values, start, tokens: fed.tokenCounts[text]! }, vector);
    }
    if (!output.isScore) normalize(vector);
  }
  return vectors;
}

async function runOneByOne({ ids, typeIds, tokenCounts }: TokenBatch): Promise<Float32Array> {
  const vectors = new Float32Array(tokenCounts.length * dimensions);
  let start = 0;
  for (const [text, count] of tokenCounts.entries()) {
    const end = start + count;
    const alone = { ids: ids.subarray(start, end), typeIds: typeIds?.subarray(start, end) };
    vectors.set(await run({ ...alone, tokenCounts: [count] }), text * dimensions);
    start = end;
  }
  return vectors;
}

function floatsOf({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  // ONNX Runtime returns a Float16Array if Node has that type.
  if (type === 'float16' && !(data instanceof Uint16Array)) return new Float32Array(data as Iterable<number>);
  throw new Error(`${modelFile}: "${output.name}" is ${type}, neither float32 nor float16`);
}

/** Gives the process's other threads priority on a busy core. Does nothing if not permitted, or not on Linux. */
function lowerThreadPriority(): void {
  try {
    // Unlike POSIX, Linux has a niceness per thread (setpriority(2), "C library/kernel differences").
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(19, getPriority(thread) + addedNiceness));
  } catch {
    // The service works without it.
  }
}
