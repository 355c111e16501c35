/** Python packages for comparisons, installed in environments of their own. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The reason why nothing can be installed on this machine. A wrong checksum or a conflict is an error instead. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
}

const installDeadlineMs = 900_000;
const runDeadlineMs = 3_600_000;
// Nothing may be looked up at a hub.
const offline = { HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false', TQDM_DISABLE: '1' };
const unreachable =
  /NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|ProxyError|Network is unreachable/;
const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--retries=1'];

/**
 * Returns the path of a Python that has the packages of `requirements`, a file beside which `constraints.txt` can pin
 * what those packages need. It is kept for the next run. Throws NotInstalled without Python or a package registry.
 */
export function pythonWith(requirements: string): string {
  const constraints = join(dirname(requirements), 'constraints.txt');
  const pinned = existsSync(constraints) ? [constraints] : [];
  const folder = cacheDirectory('python', hashOf([requirements, ...pinned]));
  const python = join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python'] : ['bin', 'python']));
  installOnce(folder, () => {
    const created = spawnSync('python3', ['-m', 'venv', folder], { timeout: installDeadlineMs });
    if (created.status !== 0) throw new NotInstalled('no Python 3 with venv was found');
    runPip(python, [...pip, 'install', '-r', requirements, ...pinned.flatMap((file) => ['-c', file])]);
  });
  return python;
}

/** Returns what `pythonWith` returns, or the reason why that is impossible here, so that a test can skip with it. */
export function pythonOrReason(requirements: string): string | NotInstalled {
  try {
    return pythonWith(requirements);
  } catch (reason) {
    if (reason instanceof NotInstalled) return reason;
    throw reason;
  }
}

/**
 * Returns a directory with the files of the packages in `requirements`, which has a checksum for each. Nothing of them
 * is executed.
 */
export function filesOfPackages(python: string, requirements: string): string {
  const folder = cacheDirectory('files', hashOf([requirements]));
  installOnce(folder, () => {
    runPip(python, [
      ...pip,
      'install',
      '--no-deps',
      '--require-hashes',
      '--target',
      folder,
      '-r',
      requirements,
    ]);
  });
  return folder;
}

/** Runs a program. Throws when it fails, with what it wrote last. */
export function runPython(python: string, program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(python, [program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: runDeadlineMs,
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, ...offline },
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.trim().slice(-2_000)}`);
}

/** A name for the content of files, so that a changed file makes another directory. */
export function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function runPip(python: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(python, args, {
    encoding: 'utf8',
    timeout: installDeadlineMs,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status === 0) return;
  const [reason] = unreachable.exec(stderr) ?? [];
  if (reason) throw new NotInstalled(`no package registry can be reached (${reason})`);
  throw new Error(`pip failed: ${error?.message ?? stderr.trim().slice(-2_000)}`);
}

/**
 * The path of a directory for what tests and benchmarks download, in the person's cache and not in the checkout, because it
 * takes gigabytes and other checkouts need the same.
 */
export function cacheDirectory(...names: readonly string[]): string {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(home, 'embedgate', ...names);
}

const done = 'installed';
/** Longer than another process takes to install anything. */
const patienceMs = 3_600_000;

/**
 * Fills a directory. One that was interrupted is removed and filled again. If another process is filling it, waits, and
 * blocks this process meanwhile.
 */
export function installOnce(folder: string, install: () => void): void {
  const mark = join(folder, done);
  if (existsSync(mark)) return;
  mkdirSync(dirname(folder), { recursive: true });
  exclusively(`${folder}.lock`, () => {
    if (existsSync(mark)) return;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(folder);
    install();
    writeFileSync(mark, '');
  });
}

/** The lock is SQLite's on an empty database: the system releases it when its owner ends, however that happens. */
function exclusively(file: string, work: () => void): void {
  const lock = new DatabaseSync(file, { timeout: patienceMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    work();
  } finally {
    lock.close();
  }
}
