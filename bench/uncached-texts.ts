import { builtinDirectory } from '../packages/engine-onnx/src/builtin.ts';
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
  what: `uncached texts over HTTP (${clients} clients, 1 short text each) ÷ the raw session, both in int8, at its best batch`,
  bound: { atLeast: 1.2 },
  run: measure,
};

/** Texts per second over HTTP, one per request, ÷ those of ONNX Runtime alone at its best batch size. */
async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  // Every text that is sent over HTTP is a different one of the same length.
  const rawTexts = Array.from({ length: 1_024 }, distinctTexts('raw'));
  await using raw = await bestRawSession(await builtinDirectory(), rawTexts);
  const text = distinctTexts('http');
  const { address, key } = service;
  const next = (): Buffer =>
    postBytes('/v1/embeddings', { input: text() }, { authorization: `Bearer ${key}` });
  const overHttp = async (): Promise<number> =>
    (await httpLoad({ address, connections: clients, next, durationMs })).perSecond;
  // The first one compiles.
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
