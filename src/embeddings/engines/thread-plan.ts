/** How a model's inference is spread over the machine. */
export interface ThreadPlan {
  /** Batches computed at the same time, each by a session of its own. */
  readonly workers: number;
  /** Cores that one batch uses. */
  readonly threadsPerWorker: number;
}

export interface Machine {
  readonly cores: number;
  readonly memoryBytes: number;
}

/** Each session holds a copy of the weights, and about as much again while it loads and computes. */
const bytesPerModelByte = 2;
/** Of the memory, for all sessions together: the rest is for the cache, the database and whatever else runs. */
const memoryShare = 0.5;

/** Of the memory, for the weights of all sessions and for what is computed: the rest is the program's, the cache's and the system's. */
const modelsShare = 0.8;

export const bytesForModels = ({ memoryBytes }: Machine): number => Math.floor(memoryBytes * modelsShare);

/** As many workers as there are cores for and memory, beside the longest text of one, and one at least. */
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

/** Every way to use all the cores evenly, and half of them: a core may be half of one that computes. */
export function plansFor(cores: number): ThreadPlan[] {
  const totals = cores < 4 ? [cores] : [cores, Math.floor(cores / 2)];
  return totals.flatMap((total) =>
    Array.from({ length: total }, (_, i) => i + 1)
      .filter((threads) => total % threads === 0)
      .map((threadsPerWorker) => ({ workers: total / threadsPerWorker, threadsPerWorker })),
  );
}
