import { join } from 'node:path';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { startService } from '../test/helpers/service.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { mixedTexts, writeMiniLm } from './mini-lm.ts';
import { residentMiB } from './resident-memory.ts';

const clients = 32;
const minute = 60_000;
const early = 3;
const late = 20;
const batchSizes = [1, 1, 1, 2, 1, 5, 1, 16, 1, 64];

export const memorySoak: Benchmark = {
  name: 'soak',
  what: `resident memory after ${late} minutes of mixed shapes at full load (MiniLM-L6's size) ÷ after ${early} minutes`,
  bound: { atMost: 1.15 },
  takesLong: true,
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'mini-lm');
  await writeMiniLm(model);
  await using service = await startService({
    environment: { EMBEDDING_MODEL: model, EMBEDDING_WORKERS: '', CACHE_MEMORY_MB: '4' },
  });
  await freeOfQuota(service);
  const text = mixedTexts(4);
  let sent = 0;
  const next = (): Buffer => {
    sent += 1;
    const input = Array.from({ length: batchSizes[sent % batchSizes.length]! }, text);
    const body = { input, ...(sent % 3 === 0 && { encoding_format: 'base64' }) };
    return postBytes('/v1/embeddings', body, { authorization: `Bearer ${service.key}` });
  };
  const load = async (minutes: number): Promise<number> => {
    await httpLoad({ address: service.address, connections: clients, next, durationMs: minutes * minute });
    return residentMiB(service.pid);
  };
  const before = await load(early);
  const after = await load(late - early);
  return {
    value: after / before,
    details: `${after.toFixed(0)} MiB against ${before.toFixed(0)} MiB, ${sent.toLocaleString('en-US')} requests`,
  };
}
