import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Tokenizer } from '../packages/engine-onnx/src/tokenizer.ts';

export interface RawSession extends AsyncDisposable {
  readonly description: string;
  /** Texts per second, at its best batch size. */
  perSecond(): Promise<number>;
}

const batchSizes = [1, 4, 8, 16, 32, 64];
const durationMs = 2_000;
const trialMs = 700;
const maxTokens = 256;

/**
 * ONNX Runtime alone on the given texts, sorted by length to minimize padding, with the batch size and split
 * of the cores that are the fastest here.
 */
export async function bestRawSession(directory: string, texts: readonly string[]): Promise<RawSession> {
  const tokenized = (await tokenizedTexts(directory, texts)).sort((a, b) => a.length - b.length);
  const modelFile = join(directory, 'onnx', 'model.onnx');
  const cores = availableParallelism();

  let best: { rate: number; batchSize: number; sessions: number; threads: number } | undefined;
  for (const [sessions, threads] of new Map([
    [1, cores],
    [cores, 1],
  ])) {
    await using pool = await openSessions(modelFile, tokenized, sessions, threads);
    for (const batchSize of batchSizes) {
      const rate = sumOf(await pool.rates(batchSize, trialMs));
      if (!best || rate > best.rate) best = { rate, batchSize, sessions, threads };
    }
  }
  if (!best) throw new Error('No session was tried');
  const { sessions, threads, batchSize } = best;
  const pool = await openSessions(modelFile, tokenized, sessions, threads);
  return {
    description: `${sessions} session${sessions > 1 ? 's' : ''} × ${threads} thread${threads > 1 ? 's' : ''}, batches of ${batchSize}`,
    perSecond: async () => sumOf(await pool.rates(batchSize, durationMs)),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function tokenizedTexts(directory: string, texts: readonly string[]): Promise<Int32Array[]> {
  const source = readFileSync(join(directory, 'tokenizer.json'), 'utf8');
  const options = { maxTokens, lowercase: false };
  const tokenizer = await Tokenizer.open(source, JSON.parse(source), options);
  return (await tokenizer.encode(texts)).map(({ ids }) => Int32Array.from(ids));
}

const sumOf = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate, 0);

async function openSessions(modelFile: string, texts: Int32Array[], count: number, threads: number) {
  const workers = Array.from(
    { length: count },
    () =>
      new Worker(new URL('raw-session-worker.ts', import.meta.url), {
        workerData: { modelFile, threads, texts },
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return {
    rates(batchSize: number, forMs: number): Promise<number[]> {
      const rates = workers.map(async (worker) => {
        worker.postMessage({ batchSize, durationMs: forMs });
        const [rate] = await once(worker, 'message');
        return rate as number;
      });
      return Promise.all(rates);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
