import type { Manifest } from './manifest.ts';

/** The input of a backup. */
export interface BackupRequest {
  /** An empty directory for unfinished files. */
  readonly stage: string;
  /** Maps the names of secret files in the archive to their paths. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly about: Pick<Manifest, 'version' | 'authFingerprint'>;
  readonly nowMs: number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface FinishedBackup {
  readonly archive: string;
  readonly about: Omit<Manifest, 'files'>;
}

export interface RestoreOptions {
  readonly manifest: Manifest;
  onBytes(bytes: number): void;
}

/** Reports progress towards `total`. Each call of the returned function adds its amount. */
export function progressTowards(
  total: number,
  onProgress: (done: number, total: number) => void,
): (amount: number) => void {
  let done = 0;
  onProgress(done, total);
  return (amount) => {
    done += amount;
    onProgress(done, total);
  };
}
