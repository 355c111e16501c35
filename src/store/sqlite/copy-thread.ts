import { answerCalls } from '../../lib/threads/answer-calls.ts';
import { openReader } from './database.ts';

export interface CopyRequest {
  readonly path: string;
  /** A file that doesn't exist. */
  readonly copy: string;
}

// The thread that copies a database for a backup. Copying is one call, which would keep the main thread from syncing the copy.

answerCalls(async ({ path, copy }: CopyRequest) => {
  const database = openReader(path);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  return { value: null, transfer: [] };
});
