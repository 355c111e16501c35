/** Limits how many pieces of work run at a time. Further ones wait in order. */
export class AtATime {
  readonly #max: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number, maxWaiting: number) {
    this.#max = max;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether the queue is full. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#maxWaiting;
  }

  /** Throws when the queue is full. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#running >= this.#max) {
      if (this.isFull) throw new Error(`More than ${this.#maxWaiting} wait`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
