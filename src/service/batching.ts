import { join } from 'node:path';
import type { Logger } from 'pino';
import { renderResults } from '../batches/results.ts';
import { BatchRunner } from '../batches/runner.ts';
import { directoryPieces } from '../files/directory-pieces.ts';
import type { PieceStore } from '../files/file.ts';
import { FileContents } from '../files/file-contents.ts';
import { sealedPieces } from '../files/sealed-pieces.ts';
import { deriveSecret } from '../keys/service-secrets.ts';
import type { Chores } from '../lib/chores.ts';
import type { Disk } from '../lib/disk.ts';
import { inSteps } from '../lib/in-steps.ts';
import { batchTurns } from '../load/event-loop.ts';
import type { Core } from './core.ts';

/** As long as their results are kept. */
const keepBatchesMs = 30 * 86_400_000;

/** Opens the files and batches, and adds the periodic work on them. Nothing runs until the runner begins. */
export function openBatching(
  { config, clock, stores, bucket, disk }: Core & { readonly bucket: PieceStore | null; readonly disk: Disk },
  maxLineBytes: number,
  chores: Chores,
  log: Logger,
) {
  const warn = (what: string) => (reason: unknown) => log.warn({ err: reason }, what);
  // Without a bucket, replicas share the database, and nothing else.
  const pieces =
    bucket ?? (config.postgres ? stores.pieces : directoryPieces(join(config.dataDir, 'files'), disk));
  const fileContents = new FileContents({
    files: stores.files,
    pieces: sealedPieces(pieces, deriveSecret(config, 'files')),
    bounds: config.files,
    renderResults,
    turnsOf: batchTurns,
  });
  const batchRunner = new BatchRunner({
    batches: stores.batches,
    files: stores.files,
    contents: fileContents,
    clock,
    maxTexts: config.files.maxBatchTexts,
    maxLineBytes,
    onError: warn('a batch could not go on'),
    isClockTrusted: () => stores.leases.isClockTrusted(),
  });
  chores.add({
    name: 'batches',
    everyMs: 1_000,
    isShared: false,
    run: async () => batchRunner.kick(),
    onError: warn('batches could not be read'),
  });
  chores.add({
    name: 'old files',
    everyMs: 600_000,
    isShared: true,
    async run({ nowMs, signal }) {
      await inSteps(() => stores.batches.prune(nowMs - keepBatchesMs), signal);
      await fileContents.prune(nowMs, signal);
    },
    onError: warn('old files could not be deleted'),
  });
  return { files: stores.files, fileContents, batches: stores.batches, batchRunner };
}
