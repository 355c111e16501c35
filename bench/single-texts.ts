import { ensureBuiltinModel } from '../src/engines/builtin.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { rawSingleText } from './raw-session.ts';
import { distinctTexts } from './texts.ts';

const rounds = 5;
const durationMs = 2_000;
const rawTexts = 256;

export const singleTexts: Benchmark = {
  name: 'single-texts',
  what: 'one client, a different short text per request: median latency over HTTP in int8 ÷ the raw float32 session on one text',
  bound: { atMost: 1 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  await using raw = await rawSingleText(
    await ensureBuiltinModel(service.dataDir),
    Array.from({ length: rawTexts }, distinctTexts('raw')),
  );
  const text = distinctTexts('http');
  const authorization = `Bearer ${service.key}`;
  const next = (): Buffer => postBytes('/v1/embeddings', { input: text() }, { authorization });
  const overHttpMs = async (): Promise<number> => {
    const tookMs: number[] = [];
    const onAnswer = (ms: number): void => {
      tookMs.push(ms);
    };
    await httpLoad({ address: service.address, connections: 1, next, durationMs, onAnswer });
    return median(tookMs);
  };
  // The first one compiles.
  await overHttpMs();

  const pairs: { http: number; raw: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ raw: await raw.medianMs(), http: await overHttpMs() });
  }
  return {
    value: median(pairs.map((pair) => pair.http / pair.raw)),
    details:
      `${median(pairs.map((pair) => pair.http)).toFixed(2)} ms against ` +
      `${median(pairs.map((pair) => pair.raw)).toFixed(2)} ms (${raw.threads} thread${raw.threads > 1 ? 's' : ''})`,
  };
}
