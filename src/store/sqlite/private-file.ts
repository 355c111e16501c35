import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const onlyOwner = 0o600;
/** SQLite creates these with the mode of the database. */
const besides = ['-wal', '-shm', '-journal'];

/**
 * Creates a database's file for its owner alone, and takes an existing one, with the files beside it, from everybody else: SQLite
 * itself would create it with mode 0644. A file of another owner stays as it is.
 */
export function keepPrivate(path: string): void {
  if (process.platform === 'win32') return;
  closeSync(openSync(path, 'a', onlyOwner));
  for (const file of [path, ...besides.map((ending) => path + ending)]) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && (found.mode & 0o077) !== 0 && isOurs(found.uid)) chmodSync(file, onlyOwner);
  }
}

const isOurs = (uid: number): boolean => [uid, 0].includes(process.getuid?.() ?? -1);
