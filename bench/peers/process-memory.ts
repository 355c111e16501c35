import { readdirSync, readFileSync } from 'node:fs';

/** The memory of a process and all that descend from it, in MiB. What several of them share counts once. */
export function memoryMiB(pid: number): number {
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return childrenOf(pid).reduce((sum, child) => sum + memoryMiB(child), Number(kibibytes) / 1_024);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
