import { setTimeout } from 'node:timers/promises';
import { cosine } from '../../packages/engine/src/index.ts';
import { readStsBenchmark, spearman } from '../../test/helpers/sts-benchmark.ts';
import { quantile } from '../benchmark.ts';
import { httpLoad } from '../http-load.ts';
import { cpuMs, memoryMiB } from '../process-figures.ts';
import { requestOf, type Server } from './spawned.ts';

export interface Figures {
  /** For each number of clients. */
  readonly loads: readonly LoadFigures[];
  readonly startMs: number;
  readonly idleMiB: number;
  readonly loadedMiB: number;
  /** How well similarities agree with people's ratings on the STS Benchmark: Spearman's correlation. */
  readonly quality: number;
}

export interface LoadFigures {
  readonly clients: number;
  /** Texts per second. */
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The processor time of all its processes for each text. Unlike the rate, it hardly depends on other programs. */
  readonly cpuMs: number;
}

const numbersOfClients = [1, 16, 64];
const rounds = 4;
/** The same for each, because programs that compile their code while they run need as many responses, not as much time. */
const warmUpAnswers = 2_000;
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
  for (const name of names) await load(servers[name], text, { clients: 16, maxAnswers: warmUpAnswers });
  const loads = names.map((): LoadFigures[] => []);
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
  readonly cpuMs: number;
}

async function load(
  server: Server,
  text: () => string,
  { clients, ...bound }: { clients: number; durationMs?: number; maxAnswers?: number },
): Promise<Run> {
  const tookMs: number[] = [];
  const fromMs = cpuMs(server.pid);
  const { answers, seconds } = await httpLoad({
    address: server.address,
    connections: clients,
    next: () => requestOf(server, text()),
    ...bound,
    onAnswer: (ms) => tookMs.push(ms),
  });
  return { answers, seconds, tookMs, cpuMs: cpuMs(server.pid) - fromMs };
}

function summary(runs: readonly Run[]): Omit<LoadFigures, 'clients'> {
  const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const ascending = Float64Array.from(runs.flatMap((run) => run.tookMs)).sort();
  return {
    perSecond: sum((run) => run.answers) / sum((run) => run.seconds),
    cpuMs: sum((run) => run.cpuMs) / sum((run) => run.answers),
    medianMs: quantile(ascending, 0.5),
    p99Ms: quantile(ascending, 0.99),
  };
}
