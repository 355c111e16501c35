import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a whole file or nothing: never a half-written one, also when two processes write at once. Without
 * `overwrite` an existing file stays as it is, and `content` is not asked for.
 */
export function writeFileAtomically(
  path: string,
  content: () => string,
  options: { mode: number; overwrite: boolean },
): void {
  if (!options.overwrite && exists(path)) return;
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(temporary, 'wx', options.mode);
  try {
    if (options.overwrite) keepOwner(file, path);
    writeSync(file, content());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    if (options.overwrite) renameSync(temporary, path);
    else linkSync(temporary, path);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'EEXIST') throw reason;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(path));
}

/** Replaced by root, a file stays its owner's: the service that reads it may run as that user. */
function keepOwner(file: number, path: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const now = fstatSync(file);
  if (before && (before.uid !== now.uid || before.gid !== now.gid)) fchownSync(file, before.uid, before.gid);
}

function exists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw reason;
  }
}

/** Makes a directory that its owner alone can look into, and those above it, where there is none. */
export function makePrivateDirectory(path: string): void {
  if (isDirectory(path)) return;
  // One after the other: below /proc, Node's own way to make them all never ends.
  if (dirname(path) !== path) makePrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (reason) {
    // Another process may have made it meanwhile.
    if (!isDirectory(path)) throw reason;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Makes what was renamed in a directory survive a loss of power. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
