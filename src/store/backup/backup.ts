import type { Manifest } from './manifest.ts';

/** What every backup has in common. */
export interface BackupRequest {
  /** An empty directory for what is half done. */
  readonly stage: string;
  /** Files that belong to the data: name in the archive → path. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly about: Pick<Manifest, 'version' | 'authFingerprint'>;
  readonly nowMs: number;
  readonly onProgress: (done: number, total: number) => void;
}

export interface FinishedBackup {
  readonly archive: string;
  readonly about: Omit<Manifest, 'files'>;
}

/** Reports progress towards `total`, which includes what each call adds. */
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
