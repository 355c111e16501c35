import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '../../src/errors.ts';

/**
 * Returns the memory of a process and all that descend from it, in MiB. What several of them share counts once, and
 * what ends meanwhile doesn't count. Throws if the process itself has ended.
 */
export function memoryMiB(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  const ofChildren = childrenOf(pid).map((child) => unlessEnded(() => memoryMiB(child), 0));
  return ofChildren.reduce((sum, ofChild) => sum + ofChild, Number(kibibytes) / 1_024);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const children = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '');
    return children.split(' ').filter(Boolean).map(Number);
  });
}

/** Returns what `read` reads of a process or thread, or `otherwise` if that has ended. */
function unlessEnded<R>(read: () => R, otherwise: R): R {
  try {
    return read();
  } catch (reason) {
    if (!['ENOENT', 'ESRCH'].includes(codeOf(reason) ?? '')) throw reason;
    return otherwise;
  }
}
