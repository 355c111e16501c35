import { availableParallelism, totalmem } from 'node:os';

/** Returns the number of cores the process may use. Node takes the quota of its control group into account. */
export const usableCores = (): number => availableParallelism();

/** Returns the bytes of memory the process may use: the machine's, or its control group's limit if that is less. */
export function usableMemoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
