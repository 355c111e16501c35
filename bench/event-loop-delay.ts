import { fork } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { startService } from '../test/helpers/service.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const clients = 64;
const durationMs = 15_000;
/** The interval of the monitor in the service, which measures the time between its ticks. */
const intervalMs = 10;
/** One of this many requests has `batchTexts` texts. */
const batchEvery = 50;
const batchTexts = 64;

export const eventLoopDelay: Benchmark = {
  name: 'event-loop',
  what: 'longest event-loop delay while workers embed at full load, in ms',
  bound: { atMost: 20 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  await freeOfQuota(service);
  const nextText = distinctTexts('delay');
  let sent = 0;
  const next = (): Buffer => {
    sent += 1;
    const input = sent % batchEvery === 0 ? Array.from({ length: batchTexts }, nextText) : nextText();
    return postBytes('/v1/embeddings', { input }, { authorization: `Bearer ${service.key}` });
  };
  const load = (ms: number) =>
    httpLoad({ address: service.address, connections: clients, next, durationMs: ms });
  // The first scrape loads the metrics once per start, and each scrape restarts the measurement.
  await longestDelayMs(service.address);
  const idle = fork(new URL('idle-process.ts', import.meta.url), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await load(2_000);
  await longestDelayMs(service.address);
  const { answers, seconds } = await load(durationMs);
  const longest = await longestDelayMs(service.address);
  idle.disconnect();
  const idleMs = Number(await text(idle.stdout!));
  return {
    value: longest,
    details: `${longest.toFixed(1)} ms in ${seconds.toFixed(0)} s of ${clients} clients, ${answers} answers; an idle process beside it: ${idleMs.toFixed(1)} ms`,
  };
}

/** The longest delay since the last scrape. */
export async function longestDelayMs(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  const [, seconds] = /^embedgate_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics) ?? [];
  if (seconds === undefined) throw new Error('The service does not tell its event-loop delay');
  return Math.max(0, Number(seconds) * 1_000 - intervalMs);
}
