import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './errors.ts';
import { createPrivateFile } from './files.ts';
import { fieldsOf } from './json.ts';

const pollMs = 100;

/** SQLITE_BUSY. */
const busy = 5;

/** Reports whether SQLite failed because another connection holds a lock. */
export function isBusy(reason: unknown): boolean {
  return fieldsOf(reason).errcode === busy;
}

/**
 * Takes the lock of a file, which is created if needed, until it is disposed of. Returns null while someone else has
 * it, in this process or another. The lock is SQLite's on an empty database, so it ends with its process, however that
 * happens, and none is ever left behind.
 */
export function tryProcessLock(path: string): Disposable | null {
  createPrivateFile(path);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (reason) {
    lock?.close();
    if (isBusy(reason)) return null;
    throw new Error(`${path} can't be locked: ${messageOf(reason)}`, { cause: reason });
  }
  return { [Symbol.dispose]: () => lock.close() };
}

/** Like `tryProcessLock`, but waits until the lock is free. Calls `onWait` once if it has to wait. */
export async function takeProcessLock(
  path: string,
  { onWait, signal }: { onWait?: (() => void) | undefined; signal?: AbortSignal | undefined },
): Promise<Disposable> {
  for (let attempts = 1; ; attempts++) {
    const lock = tryProcessLock(path);
    if (lock) return lock;
    if (attempts === 1) onWait?.();
    await sleep(pollMs, undefined, { signal });
  }
}
