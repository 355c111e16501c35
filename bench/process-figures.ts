import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from '../src/errors.ts';

/**
 * Returns the memory of a process and all that descend from it, in MiB. What several of them share counts once, and
 * what ends meanwhile doesn't count. Throws if the process itself has ended.
 */
export function memoryMiB(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  const ofChildren = childrenOf(pid).map((child) => unlessEnded(() => memoryMiB(child), 0));
  return ofChildren.reduce((sum, ofChild) => sum + ofChild, Number(kibibytes) / 1_024);
}

/** Returns the processor time of a process and all that descend from it, in milliseconds. */
export function cpuMs(pid: number): number {
  // Fields 14 and 15 are in hundredths of a second.
  const fields = statOf(`${pid}`);
  const ofChildren = childrenOf(pid).map((child) => unlessEnded(() => cpuMs(child), 0));
  return ofChildren.reduce((sum, ofChild) => sum + ofChild, 10 * (Number(fields[11]) + Number(fields[12])));
}

/** Returns the processor time of a process's first thread, in milliseconds. */
export function mainThreadMs(pid: number): number {
  return threadMs(pid, pid);
}

/** Returns the processor time of the threads of a process at its own priority, and of those below it, in milliseconds. */
export function threadsMs(pid: number): { atPriority: number; below: number } {
  const sums = { atPriority: 0, below: 0 };
  const nicenessOf = (thread: string): number => Number(statOf(`${pid}/task/${thread}`)[16]);
  const own = nicenessOf(String(pid));
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const ms = unlessEnded(() => threadMs(pid, thread), 0);
    sums[unlessEnded(() => nicenessOf(thread), own) > own ? 'below' : 'atPriority'] += ms;
  }
  return sums;
}

/** Returns the fields of `stat` from the third on. The name before them, in parentheses, may contain spaces. */
function statOf(task: string): string[] {
  return readFileSync(`/proc/${task}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
}

function threadMs(pid: number, thread: number | string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
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
