import { setTimeout } from 'node:timers/promises';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const bigRequests = 8;
const textsPerBigRequest = 256;
const singleClients = 4;
const rounds = 5;
const durationMs = 4_000;

export const bigBesideSmall: Benchmark = {
  name: 'big-requests',
  what: `p99 of single-text requests with ${bigRequests} requests of ${textsPerBigRequest} texts running ÷ p99 without them`,
  bound: { atMost: 4 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  const { address } = service;
  const headers = { authorization: `Bearer ${service.key}` };
  const text = distinctTexts('big');
  const single = (): Buffer => postBytes('/v1/embeddings', { input: text() }, headers);
  const big = (): Buffer =>
    postBytes('/v1/embeddings', { input: Array.from({ length: textsPerBigRequest }, text) }, headers);

  const p99OfSingles = async (): Promise<number> => {
    const tookMs: number[] = [];
    const onAnswer = (ms: number) => tookMs.push(ms);
    await httpLoad({ address, connections: singleClients, next: single, durationMs, onAnswer });
    return quantile(Float64Array.from(tookMs).sort(), 0.99);
  };
  const p99BesideBig = async (): Promise<number> => {
    const load = httpLoad({ address, connections: bigRequests, next: big, durationMs: durationMs + 1_000 });
    await setTimeout(500);
    const p99 = await p99OfSingles();
    await load;
    return p99;
  };
  await p99BesideBig();
  const pairs: { alone: number; beside: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ alone: await p99OfSingles(), beside: await p99BesideBig() });
  }
  return {
    value: median(pairs.map(({ alone, beside }) => beside / alone)),
    details:
      `${median(pairs.map(({ beside }) => beside)).toFixed(1)} ms against ` +
      `${median(pairs.map(({ alone }) => alone)).toFixed(1)} ms, ${singleClients} clients that send single texts`,
  };
}
