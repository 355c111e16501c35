import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeFileAtomically } from '../lib/files.ts';

/** An empty file that was changed when the last backup was complete. */
const pathIn = (dataDir: string): string => join(dataDir, 'last-backup');

export const noteBackup = (dataDir: string): void =>
  writeFileAtomically(pathIn(dataDir), () => '', { mode: 0o600, overwrite: true });

/** Returns when `embedgate backup` last completed, in milliseconds since the Unix epoch. 0: never. Null: Postgres has its own. */
export function lastBackupMs({ postgres, dataDir }: Config): number | null {
  if (postgres !== null) return null;
  return Math.floor(statSync(pathIn(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
