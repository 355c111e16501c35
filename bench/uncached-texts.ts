import { builtinDirectory } from '../packages/engine-onnx/src/builtin.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { threadsMs } from './process-figures.ts';
import { bestRawSession } from './raw-session.ts';
import { distinctTexts, textsOfWords } from './texts.ts';

const clients = 64;
const rounds = 5;
const durationMs = 2_000;

export const uncachedTexts: Benchmark = {
  name: 'uncached',
  what: `uncached texts over HTTP (${clients} clients, 1 short text each) ÷ the raw session, both in int8, at its best batch`,
  bound: { atLeast: 1.2 },
  run: measure,
};

export const gateCost: Benchmark = {
  name: 'gate-cost',
  what: `processor time of everything else for uncached texts of 4 to 120 tokens (${clients} clients, 1 text each) ÷ that of the native encoder`,
  bound: { atMost: 0.03 },
  run: measureGate,
};

/** The threads of the encoder lower their own priority; all others are the gate's, with the tokenizer and the databases. */
async function measureGate(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  const { address, key, pid } = service;
  const textOf = textsOfWords(7);
  let sent = 0;
  const next = (): Buffer =>
    postBytes(
      '/v1/embeddings',
      { input: textOf(1 + ((sent++ * 37) % 58)) },
      { authorization: `Bearer ${key}` },
    );
  const load = async () => {
    const before = threadsMs(pid);
    const { answers } = await httpLoad({ address, connections: clients, next, durationMs });
    const now = threadsMs(pid);
    const usOf = (part: keyof typeof now) => ((now[part] - before[part]) / answers) * 1_000;
    return { gate: usOf('atPriority'), engine: usOf('below') };
  };
  for (let round = 0; round < rounds; round += 1) await load();
  const figures = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await load());
  const [gate, engine] = [
    median(figures.map(({ gate }) => gate)),
    median(figures.map(({ engine }) => engine)),
  ];
  return { value: gate / engine, details: `${rounded(gate)} µs a text against ${rounded(engine)} µs` };
}

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
