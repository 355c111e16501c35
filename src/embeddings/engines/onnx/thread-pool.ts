import type { Transferable } from 'node:worker_threads';
import { Thread, type ThreadOptions } from './thread.ts';

/** Threads that do the same work; a call waits for a free one. */
export class ThreadPool<Request, Reply, Ready = unknown> {
  readonly #threads: readonly Thread<Request, Reply, Ready>[];
  readonly #free: Thread<Request, Reply, Ready>[] = [];
  readonly #waiting: ((thread: Thread<Request, Reply, Ready>) => void)[] = [];
  #closed = false;

  constructor(size: number, options: ThreadOptions) {
    this.#threads = Array.from({ length: size }, () => new Thread<Request, Reply, Ready>(options));
  }

  /** Resolves when the first thread is ready, with what it says then. Throws when it can't start. */
  async start(): Promise<Ready> {
    const [first] = this.#threads;
    const ready = await first!.start();
    this.#release(first!);
    return ready;
  }

  /**
   * Starts the others, beside which the first would have had to wait; to be called after `start`. One that can't start is left out,
   * and `onFailure` told why.
   */
  startOthers(onFailure: (reason: unknown) => void): void {
    for (const thread of this.#threads.slice(1)) {
      thread.start().then(
        () => this.#release(thread),
        (reason) => {
          if (!this.#closed) onFailure(reason);
        },
      );
    }
  }

  /** To be called after `start`. Throws like `Thread.call`. */
  async call(request: Request, transfer: readonly Transferable[]): Promise<Reply> {
    const thread = this.#free.pop() ?? (await this.#nextFree());
    try {
      return await thread.call(request, transfer);
    } finally {
      this.#release(thread);
    }
  }

  #release(thread: Thread<Request, Reply, Ready>): void {
    const next = this.#waiting.shift();
    if (next) next(thread);
    else this.#free.push(thread);
  }

  #nextFree(): Promise<Thread<Request, Reply, Ready>> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Ends all threads; calls that are under way or wait throw. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
