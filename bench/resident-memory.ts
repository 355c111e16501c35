import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../test/helpers/service.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { freeOfQuota } from './free-of-quota.ts';
import { httpLoad, postBytes } from './http-load.ts';
import { distinctTexts } from './texts.ts';

const clients = 32;
const early = 20_000;
const late = 200_000;
/** One of this many requests has a new text; the others repeat recent texts. */
const uncachedEvery = 20;
const batchEvery = 40;
const batchTexts = 8;
const recentTexts = 500;

export const residentMemory: Benchmark = {
  name: 'memory',
  what: `resident memory after ${late / 1_000},000 mixed requests ÷ after ${early / 1_000},000`,
  bound: { atMost: 1.1 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  // The first requests fill this cache, so later growth is not the cache.
  await using service = await startService({ environment: { EMBEDDING_WORKERS: '', CACHE_MEMORY_MB: '4' } });
  await freeOfQuota(service);
  const next = mixedRequests(service.key);
  const load = async (maxAnswers: number): Promise<number> => {
    await httpLoad({ address: service.address, connections: clients, next, maxAnswers });
    await setTimeout(2_000);
    return residentMiB(service.pid);
  };
  const before = await load(early);
  const after = await load(late - early);
  return {
    value: after / before,
    details: `${after.toFixed(0)} MiB against ${before.toFixed(0)} MiB`,
  };
}

/** New texts, batches, repeated texts, in both formats and several sizes. */
function mixedRequests(key: string): () => Buffer {
  const text = distinctTexts('memory');
  const recent = Array.from({ length: recentTexts }, text);
  let sent = 0;
  return () => {
    sent += 1;
    const isNew = sent % uncachedEvery === 0;
    const place = (sent * 7) % recentTexts;
    if (isNew) recent[place] = text();
    const input =
      sent % batchEvery === 0
        ? Array.from({ length: batchTexts }, (_, i) => recent[(place + i) % recentTexts])
        : recent[place];
    const body = {
      input,
      ...(sent % 3 === 0 && { encoding_format: 'base64' }),
      ...(sent % 11 === 0 && { dimensions: 128 }),
    };
    return postBytes('/v1/embeddings', body, { authorization: `Bearer ${key}` });
  };
}

/** Of a process, in MiB. */
export function residentMiB(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1_024;
}
