import { setTimeout } from 'node:timers/promises';
import { startService } from '../test/helpers/service.ts';
import { type Benchmark, type Measurement, median } from './benchmark.ts';
import { residentMiB } from './resident-memory.ts';

const rounds = 3;
/** By then, the service has loaded what it loads after its start. */
const restMs = 5_000;

export const memoryAtRest: Benchmark = {
  name: 'memory-at-rest',
  what: 'resident memory of a started service, the built-in model in int8 ÷ in float32',
  bound: { atMost: 1 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  const pairs: { int8: number; float32: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ int8: await atRestMiB('int8'), float32: await atRestMiB('fp32') });
  }
  return {
    value: median(pairs.map(({ int8, float32 }) => int8 / float32)),
    details:
      `${median(pairs.map(({ int8 }) => int8)).toFixed(0)} MiB against ` +
      `${median(pairs.map(({ float32 }) => float32)).toFixed(0)} MiB`,
  };
}

async function atRestMiB(dtype: string): Promise<number> {
  await using service = await startService({
    environment: { EMBEDDING_DTYPE: dtype, EMBEDDING_WORKERS: '' },
  });
  await setTimeout(restMs);
  return residentMiB(service.pid);
}
