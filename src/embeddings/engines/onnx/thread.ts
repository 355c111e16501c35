import { type Transferable, Worker } from 'node:worker_threads';
import { unavailable } from '../../../errors.ts';
import type { Answer } from './answer-calls.ts';

export interface ThreadOptions {
  /** The file that the thread runs; it answers by `answerCalls`. */
  readonly entry: URL;
  /** Shown by debuggers and the operating system. */
  readonly name: string;
  /** Handed to the thread as its `workerData`. */
  readonly data: unknown;
}

/** A worker thread that answers one call at a time, and is replaced when it dies. */
export class Thread<Request, Reply> {
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #started: Promise<void> | undefined;
  #pending: PromiseWithResolvers<unknown> | undefined;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Resolves when the thread is ready for calls. Throws when it can't start. */
  start(): Promise<void> {
    this.#started ??= this.#spawn();
    return this.#started;
  }

  /**
   * Throws what the thread threw, or `unavailable` when the thread died of the call or is closed. A dead thread is
   * started anew by the next call, so that each call costs one start at most, and no crash repeats by itself.
   */
  async call(request: Request, transfer: readonly Transferable[] = []): Promise<Reply> {
    await this.start();
    const pending = this.#expectAnswer();
    this.#worker?.postMessage(request, transfer);
    return (await pending) as Reply;
  }

  /** Ends the thread; a call that is under way throws. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  async #spawn(): Promise<void> {
    const { entry, name, data } = this.#options;
    const ready = this.#expectAnswer();
    const worker = new Worker(entry, { name, workerData: data });
    this.#worker = worker;
    let reason: unknown;
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', (code) => {
      this.#worker = undefined;
      this.#started = undefined;
      const cause = reason ?? new Error(`Thread ${name} ended with ${code}`);
      this.#pending?.reject(unavailable(cause));
      this.#pending = undefined;
    });
    await ready;
  }

  #expectAnswer(): Promise<unknown> {
    if (this.#closed) throw unavailable(new Error(`Thread ${this.#options.name} is closed`));
    this.#pending = Promise.withResolvers();
    return this.#pending.promise;
  }

  #settle(answer: Answer): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if ('error' in answer) pending?.reject(new Error(answer.error));
    else pending?.resolve(answer.value);
  }
}
