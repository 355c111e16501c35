import type { Transferable } from 'node:worker_threads';
import { Thread, type ThreadOptions } from './thread.ts';

/** Threads that do the same work; a call waits for a free one. */
export class ThreadPool<Request, Reply> {
  readonly #threads: readonly Thread<Request, Reply>[];
  readonly #free: Thread<Request, Reply>[];
  readonly #waiting: ((thread: Thread<Request, Reply>) => void)[] = [];

  constructor(size: number, options: ThreadOptions) {
    this.#threads = Array.from({ length: size }, () => new Thread<Request, Reply>(options));
    this.#free = [...this.#threads];
  }

  /** Resolves when all threads are ready. Throws when one can't start. */
  async start(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.start()));
  }

  /** Throws like `Thread.call`. */
  async call(request: Request, transfer: readonly Transferable[]): Promise<Reply> {
    const thread = this.#free.pop() ?? (await this.#nextFree());
    try {
      return await thread.call(request, transfer);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(thread);
      else this.#free.push(thread);
    }
  }

  #nextFree(): Promise<Thread<Request, Reply>> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Ends all threads; calls that are under way or wait throw. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
