import { join } from 'node:path';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { mixedTexts, writeMiniLm } from './mini-lm.ts';
import { bestRawSession } from './raw-session.ts';

const clients = 64;
const rounds = 3;
const durationMs = 10_000;
const rawTexts = 232;

export const mixedLengths: Benchmark = {
  name: 'mixed-texts',
  what: `texts of 5 to 120 tokens over HTTP (${clients} clients, MiniLM-L6's size) ÷ the raw session, sorted by length, at its best batch`,
  bound: { atLeast: 0.8 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'mini-lm');
  await writeMiniLm(model);
  await using service = await startService({
    environment: { EMBEDDING_MODEL: model, EMBEDDING_WORKERS: '' },
  });
  await freeOfQuota(service);
  await using raw = await bestRawSession(model, Array.from({ length: rawTexts }, mixedTexts(1)));

  const text = mixedTexts(2);
  const authorization = `Bearer ${service.key}`;
  const next = (): Buffer => postBytes('/v1/embeddings', { input: text() }, { authorization });
  const overHttp = async (): Promise<number> =>
    (await httpLoad({ address: service.address, connections: clients, next, durationMs })).perSecond;

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
