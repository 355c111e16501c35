import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createTokenizer } from '../src/embeddings/engines/onnx/tokenizer.ts';
import { encoded } from '../test/helpers/encoded.ts';

export interface RawSession extends AsyncDisposable {
  readonly description: string;
  /** Texts per second, at its best batch size. */
  perSecond(): Promise<number>;
}

const batchSizes = [1, 4, 8, 16, 32, 64];
const durationMs = 2_000;
const trialMs = 700;
const maxTokens = 128;

/**
 * ONNX Runtime alone on the given texts, sorted by length to minimise padding, with the batch size and split
 * of the cores that are the fastest here.
 */
export async function bestRawSession(directory: string, texts: readonly string[]): Promise<RawSession> {
  const read = (name: string) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const tokenizer = createTokenizer(read('tokenizer.json'), read('config.json').model_type);
  const tokenised = texts
    .map((text) => Int32Array.from(encoded(tokenizer, text, maxTokens).ids))
    .sort((a, b) => a.length - b.length);
  const modelFile = join(directory, 'onnx', 'model.onnx');
  const cores = availableParallelism();

  let best: { rate: number; batchSize: number; sessions: number; threads: number } | undefined;
  for (const [sessions, threads] of new Map([
    [1, cores],
    [cores, 1],
  ])) {
    await using pool = await openSessions(modelFile, tokenised, sessions, threads);
    for (const batchSize of batchSizes) {
      const rate = await pool.perSecond(batchSize, trialMs);
      if (!best || rate > best.rate) best = { rate, batchSize, sessions, threads };
    }
  }
  if (!best) throw new Error('No session was tried');
  const { sessions, threads, batchSize } = best;
  const pool = await openSessions(modelFile, tokenised, sessions, threads);
  return {
    description: `${sessions} session${sessions > 1 ? 's' : ''} × ${threads} thread${threads > 1 ? 's' : ''}, batches of ${batchSize}`,
    perSecond: () => pool.perSecond(batchSize, durationMs),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

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
    async perSecond(batchSize: number, forMs: number): Promise<number> {
      const rates = workers.map(async (worker) => {
        worker.postMessage({ batchSize, durationMs: forMs });
        const [rate] = await once(worker, 'message');
        return rate as number;
      });
      return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
