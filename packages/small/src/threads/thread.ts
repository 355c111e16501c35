import { extname } from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { Unavailable } from '../errors.ts';
import type { CallMessage, Started as StartedMessage, ThreadReply } from './serve-calls.ts';

export interface ThreadOptions {
  /** The file that the thread runs. It must call `serveCalls`. */
  readonly entry: URL;
  /** Shown by debuggers and the operating system. */
  readonly name: string;
  /** Passed to the thread as its `workerData`. */
  readonly data: unknown;
  /** Called before each start. If it throws, the thread does not start. */
  readonly mayStart?: () => Promise<void>;
}

interface Started<Ready> {
  readonly worker: Worker;
  readonly ready: Ready;
}

/** A worker thread that handles any number of concurrent calls and is replaced when it dies. */
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

  /**
   * Resolves when the thread is ready for calls, with the value that it reports. Throws the reason if it can't start.
   */
  async start(): Promise<Ready> {
    return (await this.#start()).ready;
  }

  /**
   * Throws the thread's error, or `Unavailable` if the thread died during the call or is closed. The next call restarts
   * a dead thread. A call causes at most one start, so no crash repeats by itself.
   */
  async call(request: Request, transfer: readonly Transferable[] = []): Promise<Reply> {
    const { worker } = await this.#start().catch((cause) => {
      throw Unavailable.of(cause);
    });
    const call = this.#calls++;
    const pending = Promise.withResolvers<Reply>();
    this.#pending.set(call, pending);
    worker.postMessage({ call, request } satisfies CallMessage<Request>, transfer);
    return pending.promise;
  }

  /** Ends the thread. Calls in progress throw immediately; their computations end before this resolves. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#failAll(this.#closedError());
    const worker = this.#worker;
    if (!worker) return;
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    // terminate() would make ONNX Runtime abort the whole process in the middle of a run.
    worker.postMessage('close' satisfies CallMessage<Request>);
    await exit;
  }

  #start(): Promise<Started<Ready>> {
    if (this.#closed) return Promise.reject(this.#closedError());
    if (!this.#started) {
      const started = this.#open();
      this.#started = started;
      started.catch(() => {
        if (this.#started === started) this.#started = undefined;
      });
    }
    return this.#started;
  }

  async #open(): Promise<Started<Ready>> {
    await this.#options.mayStart?.();
    if (this.#closed) throw this.#closedError();
    return this.#spawn();
  }

  #spawn(): Promise<Started<Ready>> {
    const { entry, name, data } = this.#options;
    const started = Promise.withResolvers<Started<Ready>>();
    const worker = new Worker(entry, { name, workerData: data });
    this.#worker = worker;
    // Under `node --watch`, Node also sends messages from the thread, about the files it has loaded.
    worker.on('message', (message: StartedMessage<Ready> | ThreadReply<Reply>) => {
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

  #settle(reply: ThreadReply<Reply>): void {
    const pending = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    if ('error' in reply) pending?.reject(reply.error);
    else pending?.resolve(reply.value);
  }

  #failAll(cause: unknown): void {
    for (const { reject } of this.#pending.values()) reject(Unavailable.of(cause));
    this.#pending.clear();
  }

  #closedError(): Error {
    return new Error(`The thread "${this.#options.name}" is closed`);
  }
}

/**
 * Returns the URL of a thread's program in the same directory as the module `moduleUrl`. Its file has the module's
 * extension: `.ts` in a checkout, `.js` in the npm package.
 */
export function programBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${extname(moduleUrl)}`, moduleUrl);
}
