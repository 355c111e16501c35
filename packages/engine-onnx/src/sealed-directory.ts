/** Directories that are either complete or absent: written aside, synced, listed with checksums, then renamed. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { ifAbsent } from '../../small/src/errors.ts';
import { syncDirectory } from '../../small/src/files.ts';
import { tryProcessLock } from '../../small/src/process-lock.ts';
import { sha256OfFile } from './file-hash.ts';

/** A file in the format of sha256sum(1), so that `sha256sum -c` can check a directory. */
export const manifestName = 'SHA256SUMS';
const manifestLine = /^([0-9a-f]{64}) {2}(.+)$/;
const unfinishedPrefix = '.unfinished-';
/** Held by the process that writes the directory, and free when that process has died. */
const lockName = 'lock';
// A process takes the lock right after it has created the directory.
const unlockedForMs = 60_000;
// More than the processes that could plausibly start at the same time. Each can interfere once.
const maxAttempts = 100;

/**
 * Reports whether `directory` has a manifest and every file listed there has the listed checksum. `isChecked`: of which of
 * these files.
 */
export async function isSealed(
  directory: string,
  isChecked: (path: string) => boolean = () => true,
): Promise<boolean> {
  const manifest = await readFile(join(directory, manifestName), 'utf8').catch(ifAbsent(''));
  const lines = manifest.split('\n').filter((line) => line !== '');
  const checks = lines.map(async (line) => {
    const [, expected, path] = manifestLine.exec(line) ?? [];
    if (path !== undefined && !isChecked(path)) return true;
    return path !== undefined && (await sha256OfFile(join(directory, path)).catch(ifAbsent(''))) === expected;
  });
  return lines.length > 0 && (await Promise.all(checks)).every(Boolean);
}

type IsComplete = (directory: string) => Promise<boolean>;

/**
 * Creates `directory` from what `build` writes into an empty directory, replacing one for which `isCurrent` does not
 * hold. If `build` fails or the process dies, the previous state remains. If several processes do this concurrently,
 * one wins and the others use its result.
 */
export async function sealBuilt(
  directory: string,
  build: (path: string) => Promise<void>,
  isCurrent: IsComplete = isSealed,
): Promise<void> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  const unfinished = join(parent, `${unfinishedPrefix}${basename(directory)}-${randomUUID()}`);
  // The caller learns from this whether the parent can be written.
  await mkdir(unfinished);
  try {
    using _lock = tryProcessLock(join(unfinished, lockName));
    await removeUnfinished(parent);
    const written = join(unfinished, basename(directory));
    await mkdir(written);
    await build(written);
    await sealWritten(written, directory, isCurrent);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Moves the directory `written` to `directory` on the same file system, after reading its files again for their
 * checksums. Replaces a directory for which `isCurrent` does not hold. If several processes do this concurrently, one
 * wins and the others use its result.
 */
export async function sealWritten(
  written: string,
  directory: string,
  isCurrent: IsComplete = isSealed,
): Promise<void> {
  const parent = dirname(directory);
  const sums: string[] = [];
  const folders = new Set([written]);
  for (const entry of await readdir(written, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(written, path).split(sep).join('/');
    if (entry.isDirectory()) folders.add(path);
    else if (name !== manifestName) sums.push(`${await sha256OfFile(path)}  ${name}\n`);
    if (entry.isFile()) await sync(path);
  }
  await writeFile(join(written, manifestName), sums.sort().join(''), { flush: true });
  for (const path of folders) syncDirectory(path);
  const aside = join(parent, `${unfinishedPrefix}${basename(directory)}-${randomUUID()}`);
  await mkdir(aside);
  try {
    await publish(written, directory, aside, isCurrent);
    syncDirectory(parent);
    // It still exists if another process came first.
    await rm(written, { recursive: true, force: true });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/**
 * Renames `unfinished` to `directory`. Moves a directory that is not current into `aside`, which the caller removes.
 */
async function publish(
  unfinished: string,
  directory: string,
  aside: string,
  isCurrent: IsComplete,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(unfinished, directory);
    } catch (error) {
      if (!isTaken(error) || attempt === maxAttempts) throw error;
      if (await isCurrent(directory)) return;
      // Another process may have moved it, or replaced it with a complete one, which an identical one then replaces.
      await rename(directory, join(aside, String(attempt))).catch(ignoreMissing);
    }
  }
}

async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > unlockedForMs && isLeft(path))
      await rm(path, { recursive: true, force: true });
  }
}

/** Reports whether no process writes the directory any more. */
function isLeft(unfinished: string): boolean {
  try {
    using lock = tryProcessLock(join(unfinished, lockName));
    return lock !== null;
  } catch {
    // Another process removes it at the same time.
    return false;
  }
}

async function sync(path: string): Promise<void> {
  // Windows syncs only files that are open for writing.
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// Windows reports EPERM if the target of a directory rename exists.
const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String(error.code));

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
