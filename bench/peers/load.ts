import { setTimeout } from 'node:timers/promises';
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
}

const numbersOfClients = [1, 16, 64];
const warmUpMs = 2_000;
const restMs = 1_000;

/** Measures a server with one text per request. */
export async function figuresOf(server: Server, text: () => string, durationMs: number): Promise<Figures> {
  const next = (): Buffer => requestOf(server, text());
  const { address } = server;
  await setTimeout(restMs);
  const idleMiB = memoryMiB(server.pid);
  await httpLoad({ address, connections: 16, next, durationMs: warmUpMs });
  const loads: Figures['loads'][number][] = [];
  for (const clients of numbersOfClients) {
    const tookMs: number[] = [];
    const onAnswer = (ms: number) => tookMs.push(ms);
    const { perSecond } = await httpLoad({ address, connections: clients, next, durationMs, onAnswer });
    const ascending = Float64Array.from(tookMs).sort();
    loads.push({ clients, perSecond, medianMs: quantile(ascending, 0.5), p99Ms: quantile(ascending, 0.99) });
  }
  return { loads, startMs: server.startMs, idleMiB, loadedMiB: memoryMiB(server.pid) };
}
