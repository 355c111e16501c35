import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const everyMs = 10;

/**
 * Repeatedly syncs a file to the disk while `work` writes it, and returns what `work` returns. A single sync at the end
 * would block the ledger's commits for a fifth of a second if the file has hundreds of megabytes.
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
