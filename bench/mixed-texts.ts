import { join } from 'node:path';
import { temporaryDirectory } from '../test/helpers/directory.ts';
import { startService } from '../test/helpers/service.ts';
import { againstRaw } from './against-raw.ts';
import type { Benchmark, Measurement } from './benchmark.ts';
import { mixedTexts, writeMiniLm } from './mini-lm.ts';

const clients = 64;

export const mixedLengths: Benchmark = {
  name: 'mixed-texts',
  what: `texts of 5 to 120 tokens over HTTP (${clients} clients, MiniLM-L6's size) in int8 ÷ the raw float32 session, sorted by length, at its best batch`,
  bound: { atLeast: 1.5 },
  run: measure,
};

async function measure(): Promise<Measurement> {
  using directory = temporaryDirectory();
  const model = join(directory.path, 'mini-lm');
  await writeMiniLm(model);
  await using service = await startService({
    environment: { EMBEDDING_MODEL: model, EMBEDDING_DTYPE: 'int8', EMBEDDING_WORKERS: '' },
  });
  // Awaited here, because the service stops when this scope ends.
  return await againstRaw({
    service,
    model,
    rawTexts: Array.from({ length: 232 }, mixedTexts(1)),
    text: mixedTexts(2),
    clients,
    rounds: 3,
    durationMs: 10_000,
  });
}
