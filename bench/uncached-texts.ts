import { ensureBuiltinModel } from '../src/embeddings/engines/builtin/builtin.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { bestRawSession } from './raw-session.ts';
import { distinctTexts } from './texts.ts';

const clients = 64;
const rounds = 5;
const durationMs = 2_000;

export const uncachedTexts: Benchmark = {
  name: 'uncached',
  what: `uncached texts over HTTP (${clients} clients, 1 short text each) ÷ the raw ONNX session at its best batch`,
  bound: { atLeast: 0.6 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  const sample = distinctTexts('raw');
  const directory = await ensureBuiltinModel(service.dataDir);
  await using raw = await bestRawSession(directory, Array.from({ length: 1_024 }, sample));

  const text = distinctTexts('http');
  const authorization = `Bearer ${service.key}`;
  const next = (): Buffer => postBytes('/v1/embeddings', { input: text() }, { authorization });
  const overHttp = async (): Promise<number> =>
    (await httpLoad({ address: service.address, connections: clients, next, durationMs })).perSecond;
  await overHttp();

  const pairs: { http: number; raw: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ raw: await raw.perSecond(), http: await overHttp() });
  }
  return {
    value: median(pairs.map((pair) => pair.http / pair.raw)),
    details:
      `${rounded(median(pairs.map((pair) => pair.http)))} texts/s against ` +
      `${rounded(median(pairs.map((pair) => pair.raw)))} (${raw.description})`,
  };
}
