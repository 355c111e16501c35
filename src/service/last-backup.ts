import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** An empty file whose modification time is that of the last backup. */
const pathIn = (dataDir: string): string => join(dataDir, 'last-backup');

/** Notes that a backup has completed. It is good even if that can't be noted. */
export function noteBackup(dataDir: string): void {
  try {
    // It may belong to another user.
    rmSync(pathIn(dataDir), { force: true });
    writeFileSync(pathIn(dataDir), '', { mode: 0o600 });
  } catch {
    // The monitoring of backups then shows an old one.
  }
}

/**
 * Returns when `embedgate backup` last completed, in milliseconds since the Unix epoch. 0: never. Null: Postgres has
 * its own.
 */
export function lastBackupMs({ postgres, dataDir }: Config): number | null {
  if (postgres !== null) return null;
  return Math.floor(statSync(pathIn(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
