import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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
