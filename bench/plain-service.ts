import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { childServer } from './child-server.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { mixedTexts, writeMiniLm } from './mini-lm.ts';
import { bestRawSession } from './raw-session.ts';

const clients = 64;
const rounds = 3;
const rawTexts = 232;
const durationMs = 10_000;

export const plainService: Benchmark = {
  name: 'plain-service',
  what: `texts of 5 to 120 tokens over HTTP (${clients} clients, MiniLM-L6's size) in int8 ÷ a plain service in float32: Fastify and transformers.js`,
  bound: { atLeast: 2.5 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'mini-lm');
  await writeMiniLm(model);
  const perSecond = async (address: string, authorization: string): Promise<number> => {
    const next = () => postBytes('/v1/embeddings', { input: text() }, { authorization });
    return (await httpLoad({ address, connections: clients, next, durationMs })).perSecond;
  };
  const text = mixedTexts(3);
  await using plain = await childServer(plainServiceScript(), model);
  await using service = await startService({
    environment: { EMBEDDING_MODEL: model, EMBEDDING_DTYPE: 'int8', EMBEDDING_WORKERS: '' },
  });
  await freeOfQuota(service);
  await using raw = await bestRawSession(model, Array.from({ length: rawTexts }, mixedTexts(1)));
  const pairs: { gate: number; plain: number; raw: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({
      plain: await perSecond(plain.address, ''),
      gate: await perSecond(service.address, `Bearer ${service.key}`),
      raw: await raw.perSecond(),
    });
  }
  return {
    value: median(pairs.map((pair) => pair.gate / pair.plain)),
    details:
      `${rounded(median(pairs.map((pair) => pair.gate)))} texts/s against ` +
      `${rounded(median(pairs.map((pair) => pair.plain)))}; the raw session at its best batch, which nothing can beat: ` +
      `${rounded(median(pairs.map((pair) => pair.raw)))}`,
  };
}

/** Returns the program. Its packages take half a gigabyte, so only people who compare install them. */
export function plainServiceScript(): string {
  const directory = fileURLToPath(new URL('../.cache/plain-service', import.meta.url));
  mkdirSync(directory, { recursive: true });
  for (const file of ['package.json', 'server.js']) {
    copyFileSync(new URL(`plain-service/${file}`, import.meta.url), join(directory, file));
  }
  const script = join(directory, 'server.js');
  if (existsSync(join(directory, 'node_modules'))) return script;
  const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The plain service could not be installed');
  return script;
}
