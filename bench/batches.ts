import { setTimeout } from 'node:timers/promises';
import { batchClient, jsonl, line } from '../test/helpers/batch-client.ts';
import { type RunningService, startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const clients = 64;
const rounds = 3;
const durationMs = 8_000;
const batchLines = 10_000;
/** More than the service computes beside requests meanwhile. */
const longBatchLines = 30_000;
/** After the validation, and long enough for what was queued before the requests come. */
const untilBusyMs = 2_000;

export const batchThroughput: Benchmark = {
  name: 'batches-alone',
  what: `texts per second of a batch of ${batchLines.toLocaleString('en-US')} lines alone ÷ those of ${clients} clients with one text each`,
  bound: { atLeast: 1 },
  run: () => withService(measureThroughput),
};

export const besideBatch: Benchmark = {
  name: 'batches-beside',
  what: 'p99 of single texts beside a batch ÷ p99 without it',
  bound: { atMost: 1.5 },
  run: () => withService(measureBeside),
};

async function withService(measure: (service: RunningService) => Promise<Measurement>): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  return await measure(service);
}

let runs = 0;

/** Sends single texts, and returns how long each response took, ascending, in milliseconds. */
async function interactive({ address, key }: RunningService, connections: number): Promise<Float64Array> {
  const text = distinctTexts(`interactive ${++runs}`);
  const next = (): Buffer =>
    postBytes('/v1/embeddings', { input: text() }, { authorization: `Bearer ${key}` });
  const tookMs: number[] = [];
  await httpLoad({ address, connections, next, durationMs, onAnswer: (ms) => tookMs.push(ms) });
  return Float64Array.from(tookMs).sort();
}

/** Starts a batch, and returns its client and id. */
async function begin(service: RunningService, lines: number) {
  const client = batchClient(service);
  const text = distinctTexts(`batch ${++runs}`);
  const requests = Array.from({ length: lines }, (_, i) => line(String(i), { input: text() }));
  return { client, id: (await client.create(jsonl(requests))).id as string };
}

async function batchPerSecond(service: RunningService, lines: number): Promise<number> {
  const beganAt = performance.now();
  const { client, id } = await begin(service, lines);
  const { status } = await client.ended(id);
  if (status !== 'completed') throw new Error(`the batch is ${status}`);
  return (lines / (performance.now() - beganAt)) * 1_000;
}

async function measureThroughput(service: RunningService): Promise<Measurement> {
  const perSecond = async (): Promise<number> =>
    ((await interactive(service, clients)).length / durationMs) * 1_000;
  // The first ones compile.
  await perSecond();
  await batchPerSecond(service, batchLines);
  const pairs: { batch: number; requests: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const requests = await perSecond();
    // A batch leaves room for the next request for a second.
    await setTimeout(1_500);
    pairs.push({ batch: await batchPerSecond(service, batchLines), requests });
  }
  return {
    value: median(pairs.map(({ batch, requests }) => batch / requests)),
    details:
      `${rounded(median(pairs.map(({ batch }) => batch)))} texts/s against ` +
      `${rounded(median(pairs.map(({ requests }) => requests)))}`,
  };
}

async function measureBeside(service: RunningService): Promise<Measurement> {
  const beside = async (): Promise<Float64Array> => {
    const { client, id } = await begin(service, longBatchLines);
    await setTimeout(untilBusyMs);
    const tookMs = await interactive(service, 1);
    await client.send('POST', `/batches/${id}/cancel`);
    const { status, request_counts: counts } = await client.ended(id);
    if (status !== 'cancelled' || counts.completed === 0) throw new Error(`the batch is ${status}`);
    return tookMs;
  };
  await interactive(service, 1);
  await beside();
  const pairs: { alone: Float64Array; beside: Float64Array }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ alone: await interactive(service, 1), beside: await beside() });
  }
  const figures = (share: number): string => {
    const [one, other] = (['beside', 'alone'] as const).map((name) =>
      median(pairs.map((pair) => quantile(pair[name], share))).toFixed(1),
    );
    return `${one} ms against ${other} ms`;
  };
  return {
    value: median(pairs.map(({ alone, beside }) => quantile(beside, 0.99) / quantile(alone, 0.99))),
    details: `p99 ${figures(0.99)}, median ${figures(0.5)}`,
  };
}
