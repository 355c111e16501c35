import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { requestEmbeddings } from '../test/helpers/requests.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { childServer } from './child-server.ts';
import { httpLoad, postBytes } from './http-load.ts';

const connections = 32;
/**
 * Each has its own processes, because one process may be a tenth slower than another of the same program for
 * its whole life.
 */
const runs = 3;
const rounds = 6;
const durationMs = 2_000;
const text = 'The quick brown fox';
const bareScript = fileURLToPath(new URL('bare-server.ts', import.meta.url));

/** The addresses of the two, and the request that both get. */
interface Servers {
  readonly bare: string;
  readonly gate: string;
  readonly request: Buffer;
}

/** Responses per second, in sequence. */
interface Pair {
  readonly bare: number;
  readonly gate: number;
}

export const cachedAnswers: Benchmark = {
  name: 'cached',
  what: `cached answers over HTTP (1 text, float, ${connections} connections) ÷ a bare Fastify route with the same bytes`,
  bound: { atLeast: 0.8 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  const awake: Pair[] = [];
  const asleep: Pair[] = [];
  for (let run = 0; run < runs; run += 1) {
    await using servers = await startServers();
    awake.push(...(await compare(servers, true)));
    if (run === 0) asleep.push(...(await compare(servers, false)));
  }
  return {
    value: median(awake.map(ratioOf)),
    details:
      `${perSecondOf(awake)}; with a client that sleeps between answers, so that waking it is part of the cost, ` +
      `${perSecondOf(asleep)}: ${median(asleep.map(ratioOf)).toPrecision(2)}`,
  };
}

/** The service, and a bare route with the bytes of its response. */
async function startServers(): Promise<Servers & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const directory = started.use(temporaryDirectory());
  const { address, key } = started.use(await startService());
  const answer = async () => (await requestEmbeddings(address, key, text)).text();
  await answer();
  const answerFile = join(directory.path, 'answer.json');
  writeFileSync(answerFile, await answer());
  const bare = started.use(await childServer(bareScript, answerFile));
  const kept = started.move();
  return {
    bare: bare.address,
    gate: address,
    request: postBytes('/v1/embeddings', { input: text }, { authorization: `Bearer ${key}` }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function compare({ bare, gate, request }: Servers, spin: boolean): Promise<Pair[]> {
  const perSecond = async (address: string): Promise<number> =>
    (await httpLoad({ address, connections, next: () => request, durationMs, spin })).perSecond;
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ bare: await perSecond(bare), gate: await perSecond(gate) });
  }
  // The first round compiles.
  return pairs.slice(1);
}

function ratioOf({ bare, gate }: Pair): number {
  return gate / bare;
}

function perSecondOf(pairs: readonly Pair[]): string {
  const [gate, bare] = [pairs.map((pair) => pair.gate), pairs.map((pair) => pair.bare)];
  return `${rounded(median(gate))}/s against ${rounded(median(bare))}/s`;
}
