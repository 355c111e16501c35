import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './errors.ts';

/**
 * Writes a file atomically: it is never half-written, even if two processes write at the same time. Without
 * `overwrite`, an existing file stays unchanged and `content` is not called.
 */
export function writeFileAtomically(
  path: string,
  content: () => string,
  options: { mode: number; overwrite: boolean },
): void {
  if (!options.overwrite && isThere(path)) return;
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', options.mode);
    try {
      if (options.overwrite) keepOwner(file, path);
      writeFileSync(file, content());
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    put(temporary, path, options.overwrite);
  } finally {
    // It may hold a secret.
    rmSync(temporary, { force: true });
  }
  syncDirectory(dirname(path));
}

/** Gives a finished file its name. Without `overwrite`, an existing file of that name stays. */
function put(temporary: string, path: string, overwrite: boolean): void {
  try {
    if (overwrite) renameSync(temporary, path);
    else linkSync(temporary, path);
  } catch (reason) {
    if (codeOf(reason) !== 'EEXIST') throw reason;
  }
}

/** Keeps the owner of a file that root replaces: the service that reads it may run as that user. */
function keepOwner(file: number, path: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const now = fstatSync(file);
  if (before && (before.uid !== now.uid || before.gid !== now.gid)) fchownSync(file, before.uid, before.gid);
}

/** Reports whether there is a file or a directory. Throws if that can't be known. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (reason) {
    // Not a path, but a key in the place of one, which no error may repeat.
    if (codeOf(reason) === 'ENAMETOOLONG') return false;
    throw reason;
  }
}

/**
 * Creates an empty file, accessible only to the owner, unless there is one. Throws if that can't be read and written.
 * Does not open a file that exists: closing it again would end every lock that this process holds on it, because locks
 * of POSIX belong to the process.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (reason) {
    if (codeOf(reason) !== 'EEXIST') throw reason;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

/** Creates a directory and its missing parents, accessible only to the owner. */
export function makePrivateDirectory(path: string): void {
  if (isDirectory(path)) return;
  // Creates one level at a time: below /proc, Node's recursive mkdir never returns.
  if (dirname(path) !== path) makePrivateDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (reason) {
    // Another process may have created it in the meantime.
    if (!isDirectory(path)) throw reason;
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Takes everyone else's permissions from a file, if there is one and it is ours. */
export function keepFilePrivate(path: string): void {
  const found = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o077) === 0) return;
  if ([found.uid, 0].includes(process.getuid?.() ?? -1)) chmodSync(path, 0o600);
}

/** Flushes a directory, so that files renamed in it survive a power failure. */
export function syncDirectory(path: string): void {
  // Windows can't open a directory. Its file systems keep renames in order.
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
