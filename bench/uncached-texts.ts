import { ensureBuiltinModel } from '../src/engines/builtin.ts';
import { startService } from '../test/helpers/service.ts';
import { againstRaw } from './against-raw.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { distinctTexts } from './texts.ts';

const clients = 64;

export const uncachedTexts: Benchmark = {
  name: 'uncached',
  what: `uncached texts over HTTP (${clients} clients, 1 short text each) in int8 ÷ the raw float32 session at its best batch`,
  bound: { atLeast: 1.2 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '' } });
  // Awaited here, because the service stops when this scope ends.
  return await againstRaw({
    service,
    model: await ensureBuiltinModel(service.dataDir),
    rawTexts: Array.from({ length: 1_024 }, distinctTexts('raw')),
    text: distinctTexts('http'),
    clients,
    rounds: 5,
    durationMs: 2_000,
  });
}
