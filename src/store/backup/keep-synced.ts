import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const everyMs = 10;

/**
 * Syncs a file to the disk again and again while `work` writes it, and returns what `work` returns. Synced all at once at its end, a file of
 * hundreds of megabytes would keep the disk from the ledger's commits for a fifth of a second.
 */
export async function keepSynced<R>(path: string, work: Promise<R>): Promise<R> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  let file: FileHandle | undefined;
  try {
    while (!isDone) {
      await setTimeout(everyMs);
      if (!file && existsSync(path)) file = await open(path, 'r+');
      await file?.datasync();
    }
  } finally {
    await file?.close();
  }
  return work;
}
