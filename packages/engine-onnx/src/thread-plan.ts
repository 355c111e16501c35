/** How a model's inference is distributed over the cores. */
export interface ThreadPlan {
  /** Number of batches computed at the same time, each by its own session. */
  readonly workers: number;
  /** Number of cores that one batch uses. */
  readonly threadsPerWorker: number;
}

export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Each session holds a copy of the weights, and needs about as much again while it loads and computes. */
const bytesPerModelByte = 2;
/** Share of the memory for all sessions. The rest is for the cache, the database and other programs. */
const memoryShare = 0.5;

/** Share of the memory for weights and running computations. The rest is for the program, the cache and the system. */
const modelsShare = 0.8;

export const bytesForModels = ({ memoryBytes }: Machine): number => Math.floor(memoryBytes * modelsShare);

/** Returns how many workers the cores and memory allow, at least 1. `textBytes` is the memory for the longest text. */
export function workersFor(
  modelBytes: number,
  threadsPerWorker: number,
  machine: Machine,
  textBytes = 0,
): number {
  const byCores = Math.floor(machine.cores / threadsPerWorker);
  const byMemory = Math.floor((machine.memoryBytes * memoryShare) / (modelBytes * bytesPerModelByte));
  const besideText = Math.floor((bytesForModels(machine) - textBytes) / modelBytes);
  return Math.max(1, Math.min(byCores, byMemory, besideText));
}

/** Returns the same where all workers share the weights of a model without a graph. */
export function workersBeside(
  modelBytes: number,
  threadsPerWorker: number,
  machine: Machine,
  textBytes: number,
): number {
  const byMemory = Math.floor((bytesForModels(machine) - modelBytes) / Math.max(1, textBytes));
  return Math.max(1, Math.min(Math.floor(machine.cores / threadsPerWorker), byMemory));
}

/** Returns every even split of all cores, and of half of them, because two logical cores may share a physical one. */
export function plansFor(cores: number): ThreadPlan[] {
  const totals = cores < 4 ? [cores] : [cores, Math.floor(cores / 2)];
  return totals.flatMap((total) =>
    Array.from({ length: total }, (_, i) => i + 1)
      .filter((threads) => total % threads === 0)
      .map((threadsPerWorker) => ({ workers: total / threadsPerWorker, threadsPerWorker })),
  );
}
