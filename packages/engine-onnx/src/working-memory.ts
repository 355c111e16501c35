import { usableCores, usableMemoryBytes } from '../../small/src/machine.ts';
import { bytesForModels } from './thread-plan.ts';

/** Work that needs less than this never waits. */
const negligibleBytes = 64 << 20;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** Limits the memory of the running batches of all models. Batches without room wait, in order of arrival. */
export class WorkingMemory {
  #freeBytes: number;
  #running = 0;
  readonly #waiting: Waiting[] = [];

  constructor(totalBytes: number) {
    this.#freeBytes = totalBytes;
  }

  /** The part of the total that neither open models nor running batches use. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Reserves the memory that an open model holds. Returns a function that releases it. */
  hold(bytes: number): () => void {
    this.#freeBytes -= bytes;
    let heldBytes = bytes;
    return () => {
      this.#freeBytes += heldBytes;
      heldBytes = 0;
    };
  }

  /** Runs work that needs `bytes`. Work too large to fit beside other work runs alone. */
  async use<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes < negligibleBytes) return work();
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((start) => {
        this.#waiting.push({ bytes, start });
      });
    } else this.#take(bytes);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#freeBytes += bytes;
      this.#startNext();
    }
  }

  #fits(bytes: number): boolean {
    return this.#running === 0 || bytes <= this.#freeBytes;
  }

  #take(bytes: number): void {
    this.#running += 1;
    this.#freeBytes -= bytes;
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.bytes);
      next.start();
    }
  }
}

/** Returns the memory that all models of this machine share. */
export const memoryForModels = (): WorkingMemory =>
  new WorkingMemory(bytesForModels({ cores: usableCores(), memoryBytes: usableMemoryBytes() }));
