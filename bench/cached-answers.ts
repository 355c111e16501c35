import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { requestEmbeddings } from '../test/helpers/requests.ts';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, rounded } from './benchmark.ts';
import { childServer } from './child-server.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { mainThreadMs } from './process-figures.ts';

const connections = 32;
/**
 * Each has its own processes, because one process may be a tenth slower than another of the same program for
 * its whole life.
 */
const runs = 3;
const rounds = 5;
/** Until then, V8 still optimizes the service. */
const warmUpAnswers = 200_000;
const durationMs = 2_000;
const text = 'The quick brown fox';
const bareScript = fileURLToPath(new URL('bare-server.ts', import.meta.url));

interface Server {
  readonly address: string;
  readonly pid: number;
}

/** The two, and the request that both get. */
interface Servers {
  readonly bare: Server;
  readonly gate: Server;
  readonly request: Buffer;
}

interface Figures {
  /** Responses per second. */
  readonly perSecond: number;
  /** The time of the server's main thread for each response, in microseconds. */
  readonly mainUs: number;
}

/** Measured in sequence. */
interface Pair {
  readonly bare: Figures;
  readonly gate: Figures;
}

export const cachedAnswers: Benchmark = {
  name: 'cached',
  what: `cached answers over HTTP (1 text, float, ${connections} connections) ÷ a bare Fastify route with the same bytes`,
  bound: { atLeast: 0.65 },
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
      `${figuresOf(awake)}; with a client that sleeps between answers, so that waking it is part of the cost, ` +
      `${figuresOf(asleep)}: ${median(asleep.map(ratioOf)).toPrecision(2)}`,
  };
}

/** The service, and a bare route with the bytes of its response. */
async function startServers(): Promise<Servers & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const directory = started.use(temporaryDirectory());
  const { address, key, pid } = started.use(await startService());
  const answer = async () => (await requestEmbeddings(address, key, text)).text();
  await answer();
  const answerFile = join(directory.path, 'answer.json');
  writeFileSync(answerFile, await answer());
  const bare = started.use(await childServer(bareScript, answerFile));
  const request = postBytes('/v1/embeddings', { input: text }, { authorization: `Bearer ${key}` });
  for (const server of [bare.address, address])
    await httpLoad({
      address: server,
      connections,
      next: () => request,
      maxAnswers: warmUpAnswers,
      spin: true,
    });
  const kept = started.move();
  return {
    bare,
    gate: { address, pid },
    request,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function compare({ bare, gate, request }: Servers, spin: boolean): Promise<Pair[]> {
  const figures = async ({ address, pid }: Server): Promise<Figures> => {
    const fromMs = mainThreadMs(pid);
    const load = { address, connections, next: () => request, durationMs, spin };
    const { answers, perSecond } = await httpLoad(load);
    return { perSecond, mainUs: (1_000 * (mainThreadMs(pid) - fromMs)) / answers };
  };
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ bare: await figures(bare), gate: await figures(gate) });
  }
  return pairs;
}

const ratioOf = ({ bare, gate }: Pair): number => gate.perSecond / bare.perSecond;

function figuresOf(pairs: readonly Pair[]): string {
  const rate = (server: 'bare' | 'gate') => rounded(median(pairs.map((pair) => pair[server].perSecond)));
  const mainUs = (server: 'bare' | 'gate') => median(pairs.map((pair) => pair[server].mainUs)).toFixed(1);
  const times = median(pairs.map(({ bare, gate }) => gate.mainUs / bare.mainUs)).toPrecision(3);
  return (
    `${rate('gate')}/s against ${rate('bare')}/s, ` +
    `${mainUs('gate')} and ${mainUs('bare')} µs of the main thread for each (${times} times)`
  );
}
