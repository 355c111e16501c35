/** Fewer bytes than these are not worth waiting for. */
const negligibleBytes = 64 << 20;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** The memory that batches of all models take while they are computed. Those that find no room wait, in order of arrival. */
export class WorkingMemory {
  #freeBytes: number;
  #running = 0;
  readonly #waiting: Waiting[] = [];

  constructor(totalBytes: number) {
    this.#freeBytes = totalBytes;
  }

  /** What is left of the total beside what models hold. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Takes what a model holds as long as it is open. Returns the function that gives it back. */
  hold(bytes: number): () => void {
    this.#freeBytes -= bytes;
    return () => {
      this.#freeBytes += bytes;
    };
  }

  /** Does work that takes so many bytes, alone where there is never room for it beside other work. */
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
