import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';

const controlGroups = '/sys/fs/cgroup';

/**
 * Returns the number of cores the process may use: those it is scheduled on, or its control group's quota rounded up if
 * that is less.
 */
export function usableCores(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(quotaOfCores())));
}

/** Returns the bytes of memory the process may use: the machine's, or its control group's limit if that is less. */
export function usableMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Returns the quota of the control group; see cgroups(7). A container sees its own group at the root, whatever path it
 * is given.
 */
function quotaOfCores(): number {
  const groups = lines('/proc/self/cgroup').flatMap((line) => {
    const [, controllers = '', path = ''] = line.split(':', 3);
    if (controllers === '') return [path, '/'].map((at) => quotaOfVersion2(join(controlGroups, at)));
    if (!controllers.split(',').includes('cpu')) return [];
    return [path, '/'].map((at) => quotaOfVersion1(join(controlGroups, 'cpu', at)));
  });
  return Math.min(...groups, Number.POSITIVE_INFINITY);
}

function quotaOfVersion2(directory: string): number {
  const [quota, period] = (lines(join(directory, 'cpu.max'))[0] ?? 'max').split(' ').map(Number);
  return cores(quota, period);
}

function quotaOfVersion1(directory: string): number {
  const [quota] = lines(join(directory, 'cpu.cfs_quota_us')).map(Number);
  const [period] = lines(join(directory, 'cpu.cfs_period_us')).map(Number);
  return cores(quota, period);
}

/** Returns Infinity if there is no limit: `max`, −1, or no file. */
function cores(quota: number | undefined, period: number | undefined): number {
  return quota && period && quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY;
}

/** Returns nothing if the file can't be read, as on systems other than Linux. */
function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
