import { type Transferable, Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import type { Answer, Message, Started as StartedMessage } from './answer-calls.ts';

export interface ThreadOptions {
  /** The file that the thread runs; it answers by `answerCalls`. */
  readonly entry: URL;
  /** Shown by debuggers and the operating system. */
  readonly name: string;
  /** Handed to the thread as its `workerData`. */
  readonly data: unknown;
  /** Called before each start. What it throws keeps the thread from starting. */
  readonly mayStart?: () => Promise<void>;
}

interface Started<Ready> {
  readonly worker: Worker;
  readonly ready: Ready;
}

/** A worker thread that is called, any number of times at once, and replaced when it dies. */
export class Thread<Request, Reply, Ready = unknown> {
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #started: Promise<Started<Ready>> | undefined;
  readonly #pending = new Map<number, PromiseWithResolvers<Reply>>();
  #calls = 0;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Resolves when the thread is ready for calls, with what it says then. Throws what kept it from starting. */
  async start(): Promise<Ready> {
    return (await this.#start()).ready;
  }

  /**
   * Throws what the thread threw, or `unavailable` when the thread died meanwhile or is closed. A dead thread is
   * started anew by the next call: a call costs one start at most, and no crash repeats by itself.
   */
  async call(request: Request, transfer: readonly Transferable[] = []): Promise<Reply> {
    const { worker } = await this.#start().catch((cause) => {
      throw unavailable(cause);
    });
    const call = this.#calls++;
    const pending = Promise.withResolvers<Reply>();
    this.#pending.set(call, pending);
    worker.postMessage({ call, request } satisfies Message<Request>, transfer);
    return pending.promise;
  }

  /** Ends the thread: calls that are under way throw at once, and their computations end before this resolves. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#failAll(this.#closedError());
    const worker = this.#worker;
    if (!worker) return;
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    // Not terminate(): that makes ONNX Runtime abort the whole process where it is in the middle of a run.
    worker.postMessage('close' satisfies Message<Request>);
    await exit;
  }

  #start(): Promise<Started<Ready>> {
    if (this.#closed) return Promise.reject(this.#closedError());
    if (!this.#started) {
      const started = this.#startAnew();
      this.#started = started;
      started.catch(() => {
        if (this.#started === started) this.#started = undefined;
      });
    }
    return this.#started;
  }

  async #startAnew(): Promise<Started<Ready>> {
    await this.#options.mayStart?.();
    if (this.#closed) throw this.#closedError();
    return this.#spawn();
  }

  #spawn(): Promise<Started<Ready>> {
    const { entry, name, data } = this.#options;
    const started = Promise.withResolvers<Started<Ready>>();
    const worker = new Worker(entry, { name, workerData: data });
    this.#worker = worker;
    // Under `node --watch`, Node itself sends messages from the thread as well: which files it has loaded.
    worker.on('message', (message: StartedMessage<Ready> | Answer<Reply>) => {
      if ('ready' in message) started.resolve({ worker, ready: message.ready });
      else if ('value' in message || 'error' in message) this.#settle(message);
    });
    let thrown: unknown;
    worker.on('error', (error) => {
      thrown = error;
    });
    worker.on('exit', (code) => {
      const cause = this.#closed
        ? this.#closedError()
        : (thrown ?? new Error(`The thread "${name}" ended with ${code}`));
      this.#worker = undefined;
      this.#started = undefined;
      started.reject(cause);
      this.#failAll(cause);
    });
    return started.promise;
  }

  #settle(answer: Answer<Reply>): void {
    const pending = this.#pending.get(answer.call);
    this.#pending.delete(answer.call);
    if ('error' in answer) pending?.reject(new Error(answer.error));
    else pending?.resolve(answer.value);
  }

  #failAll(cause: unknown): void {
    for (const { reject } of this.#pending.values()) reject(unavailable(cause));
    this.#pending.clear();
  }

  #closedError(): Error {
    return new Error(`The thread "${this.#options.name}" is closed`);
  }
}
