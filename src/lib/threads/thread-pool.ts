import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import { Thread, type ThreadOptions } from './thread.ts';

/** What kept a thread from starting, such as too little memory, may have passed by then. */
const defaultStartAgainMs = 300_000;

/** Threads that do the same work; a call waits for a free one. */
export class ThreadPool<Request, Reply, Ready = unknown> {
  readonly #threads: readonly Thread<Request, Reply, Ready>[];
  /** Those that have started once. */
  readonly #used: Thread<Request, Reply, Ready>[] = [];
  readonly #free: Thread<Request, Reply, Ready>[] = [];
  readonly #waiting: ((thread: Thread<Request, Reply, Ready>) => void)[] = [];
  readonly #closing = new AbortController();

  readonly #startAgainMs: number;

  constructor(size: number, options: ThreadOptions & { readonly startAgainMs?: number }) {
    this.#startAgainMs = options.startAgainMs ?? defaultStartAgainMs;
    this.#threads = Array.from({ length: size }, () => new Thread<Request, Reply, Ready>(options));
  }

  /** Resolves when the first thread is ready, with what it says then. Throws when it can't start. */
  async start(): Promise<Ready> {
    const [first] = this.#threads;
    const ready = await first!.start();
    this.#use(first!);
    return ready;
  }

  /** Starts anew a thread that has died, unless another lives. Throws what keeps all of them from starting. */
  async ready(): Promise<void> {
    await Promise.any(this.#used.map((thread) => thread.start())).catch(({ errors }: AggregateError) => {
      throw errors[0];
    });
  }

  /**
   * Starts the others, beside which the first would have had to wait; to be called after `start`. One that can't start is tried again
   * some minutes later, and `onFailure` is told why each time.
   */
  startOthers(onFailure: (reason: unknown) => void): void {
    for (const thread of this.#threads.slice(1)) this.#startUntilUsed(thread, onFailure);
  }

  async #startUntilUsed(
    thread: Thread<Request, Reply, Ready>,
    onFailure: (reason: unknown) => void,
  ): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await thread.start();
        this.#use(thread);
        return;
      } catch (reason) {
        if (!signal.aborted) onFailure(reason);
      }
      await setTimeout(this.#startAgainMs, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  #use(thread: Thread<Request, Reply, Ready>): void {
    this.#used.push(thread);
    this.#release(thread);
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
    this.#closing.abort();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
