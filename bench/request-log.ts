import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median, quantile, rounded } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';

const connections = 32;
/** Each has its own processes, because one process may be slower than another for its whole life. */
const runs = 6;
const rounds = 4;
const durationMs = 2_000;

export const requestLog: Benchmark = {
  name: 'request-log',
  what: `cached responses per second with the request log on ÷ off (${connections} connections)`,
  bound: { atLeast: 0.97 },
  run: measure,
};

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

async function measure(): Promise<Measurement> {
  const pairs: { on: Figures; off: Figures }[] = [];
  for (let run = 0; run < runs; run += 1) {
    await using on = await startService();
    await using off = await startService({ environment: { REQUEST_LOG: 'off' } });
    const figuresOf = async ({ address, key }: typeof on): Promise<Figures> => {
      const request = postBytes('/v1/embeddings', { input: 'cached' }, { authorization: `Bearer ${key}` });
      const tookMs: number[] = [];
      const { perSecond } = await httpLoad({
        address,
        connections,
        durationMs,
        next: () => request,
        onAnswer: (ms) => tookMs.push(ms),
      });
      return { perSecond, p99Ms: quantile(Float64Array.from(tookMs).sort(), 0.99) };
    };
    for (const service of [on, off]) await freeOfQuota(service);
    const inTurn = async (isOnFirst: boolean): Promise<{ on: Figures; off: Figures }> => {
      const first = isOnFirst ? await figuresOf(on) : undefined;
      const without = await figuresOf(off);
      return { on: first ?? (await figuresOf(on)), off: without };
    };
    // These compile.
    await inTurn(run % 2 === 0);
    // Each is first equally often, because a service that was idle has to grow its heap again.
    for (let round = 1; round <= rounds; round += 1) pairs.push(await inTurn((run + round) % 2 === 0));
  }
  const middle = (name: 'on' | 'off', figure: keyof Figures): number =>
    median(pairs.map((pair) => pair[name][figure]));
  return {
    value: median(pairs.map(({ on, off }) => on.perSecond / off.perSecond)),
    details:
      `${rounded(middle('on', 'perSecond'))} responses/s against ${rounded(middle('off', 'perSecond'))}, ` +
      `p99 ${middle('on', 'p99Ms').toFixed(2)} ms against ${middle('off', 'p99Ms').toFixed(2)}`,
  };
}
