import { setTimeout } from 'node:timers/promises';
import type { Transferable } from 'node:worker_threads';
import { Unavailable } from '../errors.ts';
import { Thread, type ThreadOptions } from './thread.ts';

/** The cause of a failed start, such as too little memory, may have passed by then. */
const defaultStartAgainMs = 300_000;

/** Threads that do the same work. A call waits for a free one. */
export class ThreadPool<Request, Reply, Ready = unknown> {
  readonly #threads: readonly Thread<Request, Reply, Ready>[];
  /** The threads that take calls: those that have started, except for those that can't be started again. */
  readonly #used = new Set<Thread<Request, Reply, Ready>>();
  readonly #free: Thread<Request, Reply, Ready>[] = [];
  readonly #waiting: ((thread: Thread<Request, Reply, Ready>) => void)[] = [];
  readonly #closing = new AbortController();
  readonly #startAgainMs: number;
  #onFailure: (reason: unknown) => void = () => {};

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
    await Promise.any([...this.#used].map((thread) => thread.start())).catch(({ errors }: AggregateError) => {
      throw errors[0];
    });
  }

  /**
   * Starts the other threads; call it after `start`, which would otherwise compete with them. A thread that can't
   * start, now or after it has died, is retried some minutes later. `onFailure` receives the reason each time.
   */
  startOthers(onFailure: (reason: unknown) => void): void {
    this.#onFailure = onFailure;
    for (const thread of this.#threads.slice(1)) this.#startUntilUsed(thread);
  }

  async #startUntilUsed(thread: Thread<Request, Reply, Ready>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await thread.start();
        this.#use(thread);
        return;
      } catch (reason) {
        await this.#startLater(reason);
      }
    }
  }

  /** Resolves when it is time to start a thread again that could not start. */
  async #startLater(reason: unknown): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    this.#onFailure(reason);
    await setTimeout(this.#startAgainMs, undefined, { ref: false, signal }).catch(() => {});
  }

  #use(thread: Thread<Request, Reply, Ready>): void {
    this.#used.add(thread);
    this.#release(thread);
  }

  /** Must be called after `start`. Throws like `Thread.call`. */
  async call(request: Request, transfer: readonly Transferable[]): Promise<Reply> {
    const thread = await this.#aliveThread();
    try {
      return await thread.call(request, transfer);
    } finally {
      this.#release(thread);
    }
  }

  /** Takes a free thread that is alive. A dead one that can't start takes no more calls while others can. */
  async #aliveThread(): Promise<Thread<Request, Reply, Ready>> {
    for (;;) {
      const thread = this.#free.shift() ?? (await this.#nextFree());
      try {
        await thread.start();
        return thread;
      } catch (reason) {
        if (this.#used.size === 1) {
          this.#release(thread);
          throw Unavailable.of(reason);
        }
        this.#used.delete(thread);
        void this.#startLater(reason).then(() => this.#startUntilUsed(thread));
      }
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
