import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import { Thread, type ThreadOptions } from './thread.ts';

/** The cause of a failed start, such as too little memory, may have passed by then. */
const defaultStartAgainMs = 300_000;

/** Threads that do the same work. A call waits for a free one. */
export class ThreadPool<Request, Reply, Ready = unknown> {
  readonly #threads: readonly Thread<Request, Reply, Ready>[];
  /** The threads that have started at least once. */
  readonly #used: Thread<Request, Reply, Ready>[] = [];
  readonly #free: Thread<Request, Reply, Ready>[] = [];
  readonly #waiting: ((thread: Thread<Request, Reply, Ready>) => void)[] = [];
  readonly #closing = new AbortController();

  readonly #startAgainMs: number;

  constructor(size: number, options: ThreadOptions & { readonly startAgainMs?: number }) {
    this.#startAgainMs = options.startAgainMs ?? defaultStartAgainMs;
    this.#threads = Array.from({ length: size }, () => new Thread<Request, Reply, Ready>(options));
  }

  /** Resolves when the first thread is ready, with the value that it reports. Throws if it can't start. */
  async start(): Promise<Ready> {
    const [first] = this.#threads;
    const ready = await first!.start();
    this.#use(first!);
    return ready;
  }

  /**
   * Restarts threads that have died, and resolves as soon as one thread is alive. Throws the reason if none can start.
   */
  async ready(): Promise<void> {
    await Promise.any(this.#used.map((thread) => thread.start())).catch(({ errors }: AggregateError) => {
      throw errors[0];
    });
  }

  /**
   * Starts the other threads; call it after `start`, which would otherwise compete with them. A thread that can't start
   * is retried some minutes later, and `onFailure` receives the reason each time.
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

  /** Must be called after `start`. Throws like `Thread.call`. */
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

  /** Ends all threads. Calls that are running or waiting throw. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
