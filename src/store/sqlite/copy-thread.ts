import { serveCalls } from '../../lib/threads/serve-calls.ts';
import { openReader } from './database.ts';

export interface CopyRequest {
  readonly path: string;
  /** The path of the copy, which must not exist. */
  readonly copy: string;
}

// The thread that copies a database for a backup. Copying is a single call, during which the main thread syncs the
// copy.

serveCalls(async ({ path, copy }: CopyRequest) => {
  const database = openReader(path);
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
  return { value: null, transfer: [] };
});
