import { setTimeout } from 'node:timers/promises';
import { cosine } from '../../packages/engine/src/index.ts';
import { readStsBenchmark, spearman } from '../../test/helpers/sts-benchmark.ts';
import { quantile } from '../benchmark.ts';
import { httpLoad } from '../http-load.ts';
import { memoryMiB } from './process-memory.ts';
import { requestOf, type Server } from './spawned.ts';

export interface Figures {
  /** Requests per second and the 99th percentile of their time, for each number of clients. */
  readonly loads: readonly { clients: number; perSecond: number; medianMs: number; p99Ms: number }[];
  readonly startMs: number;
  readonly idleMiB: number;
  readonly loadedMiB: number;
  /** How well similarities agree with people's ratings on the STS Benchmark: Spearman's correlation. */
  readonly quality: number;
}

const numbersOfClients = [1, 16, 64];
const rounds = 4;
const warmUpMs = 2_000;
const restMs = 1_000;
const pairsAtATime = 8;

/**
 * Measures servers with one text per request. They take turns within each number of clients, because the machine's own
 * speed changes.
 */
export async function figuresInTurn<Name extends string>(
  servers: Readonly<Record<Name, Server>>,
  text: () => string,
  durationMs: number,
): Promise<Record<Name, Figures>> {
  const names = Object.keys(servers) as Name[];
  await setTimeout(restMs);
  const idle = names.map((name) => memoryMiB(servers[name].pid));
  for (const name of names) await load(servers[name], text, { clients: 16, durationMs: warmUpMs });
  const loads = names.map((): Figures['loads'][number][] => []);
  for (const clients of numbersOfClients) {
    const runs = names.map((): Run[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, name] of names.entries()) {
        runs[i]!.push(await load(servers[name], text, { clients, durationMs }));
      }
    }
    for (const [i, ofServer] of runs.entries()) loads[i]!.push({ clients, ...summary(ofServer) });
  }
  const figures = {} as Record<Name, Figures>;
  for (const [i, name] of names.entries()) {
    figures[name] = {
      loads: loads[i]!,
      startMs: servers[name].startMs,
      idleMiB: idle[i]!,
      loadedMiB: memoryMiB(servers[name].pid),
      quality: await qualityOf(servers[name]),
    };
  }
  return figures;
}

async function qualityOf({ address, path, headers, model }: Server): Promise<number> {
  const pairs = await readStsBenchmark();
  const embed = async (input: string): Promise<Float32Array> => {
    const body = JSON.stringify({ model, input, encoding_format: 'float' });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    const { data } = (await (await fetch(address + path, init)).json()) as {
      data: [{ embedding: number[] }];
    };
    return Float32Array.from(data[0].embedding);
  };
  const similarities: number[] = [];
  for (let i = 0; i < pairs.length; i += pairsAtATime) {
    const some = pairs.slice(i, i + pairsAtATime).map(async ({ sentences }) => {
      const [a, b] = await Promise.all([embed(sentences[0]), embed(sentences[1])]);
      return cosine(a, b);
    });
    similarities.push(...(await Promise.all(some)));
  }
  return spearman(
    similarities,
    pairs.map(({ similarity }) => similarity),
  );
}

interface Run {
  readonly answers: number;
  readonly seconds: number;
  readonly tookMs: readonly number[];
}

async function load(
  server: Server,
  text: () => string,
  { clients, durationMs }: { clients: number; durationMs: number },
): Promise<Run> {
  const tookMs: number[] = [];
  const { answers, seconds } = await httpLoad({
    address: server.address,
    connections: clients,
    next: () => requestOf(server, text()),
    durationMs,
    onAnswer: (ms) => tookMs.push(ms),
  });
  return { answers, seconds, tookMs };
}

function summary(runs: readonly Run[]): { perSecond: number; medianMs: number; p99Ms: number } {
  const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const ascending = Float64Array.from(runs.flatMap((run) => run.tookMs)).sort();
  return {
    perSecond: sum((run) => run.answers) / sum((run) => run.seconds),
    medianMs: quantile(ascending, 0.5),
    p99Ms: quantile(ascending, 0.99),
  };
}
