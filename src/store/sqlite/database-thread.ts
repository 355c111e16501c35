import { Worker } from 'node:worker_threads';
import { programBeside } from '../../lib/program-beside.ts';
import type { Tier } from '../../quota/tiers.ts';

export type DatabasePaths = { readonly database: string; readonly cache: string };
export type WriterData = DatabasePaths & { readonly tiers: readonly Tier[] };
export type Call = { id: number; store: string; method: string; args: unknown[] };
export type Reply = { id: number; value?: unknown; error?: string };

type Pending = {
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  timer: NodeJS.Timeout;
};

/** Longer than SQLite's own wait for another process's lock: past it something is broken, not busy. */
const defaultDeadlineMs = () => 10_000;

/** A thread that has the databases open, seen from the main thread. */
export class DatabaseThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  readonly #deadlineMs: () => number;
  #nextId = 0;
  #failure: Error | undefined;

  private constructor(worker: Worker, deadlineMs: () => number) {
    this.#worker = worker;
    this.#deadlineMs = deadlineMs;
    worker.on('message', (reply: Reply) => this.#settle(reply));
    worker.on('error', (reason) => this.#fail(reason as Error));
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#fail(new Error('The database thread has ended'));
        resolve();
      });
    });
  }

  /** The thread that writes: it opens the databases, whose schema is up to date. Rejects with the reason when that fails. */
  static writing(data: WriterData, deadlineMs = defaultDeadlineMs): Promise<DatabaseThread> {
    return DatabaseThread.#open(
      programBeside(import.meta.url, 'writer-thread'),
      data,
      'database',
      deadlineMs,
    );
  }

  /** A thread that reads what takes a while. */
  static reading(paths: DatabasePaths): Promise<DatabaseThread> {
    return DatabaseThread.#open(
      programBeside(import.meta.url, 'reader-thread'),
      paths,
      'reports',
      defaultDeadlineMs,
    );
  }

  static async #open(
    program: URL,
    workerData: DatabasePaths,
    name: string,
    deadlineMs: () => number,
  ): Promise<DatabaseThread> {
    const worker = new Worker(program, { workerData, name });
    await new Promise<void>((resolve, reject) => {
      // Under `node --watch`, Node itself sends messages from the thread as well: which files it has loaded.
      worker.on('message', (message: unknown) => {
        if (message !== 'ready') return;
        worker.off('error', reject);
        resolve();
      });
      worker.once('error', reject);
    });
    return new DatabaseThread(worker, deadlineMs);
  }

  call(store: string, method: string, args: unknown[]): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle({ id, error: 'The database did not answer in time' }),
        this.#deadlineMs(),
      );
      this.#pending.set(id, { resolve, reject, timer });
      this.#worker.postMessage({ id, store, method, args } satisfies Call);
    });
  }

  /** The store's methods as calls to the thread. */
  remote<S extends object>(store: string, methods: readonly (keyof S & string)[]): S {
    const entries = methods.map((method) => [method, (...args: unknown[]) => this.call(store, method, args)]);
    return Object.fromEntries(entries) as S;
  }

  /** Ends the thread after the calls already made. */
  async close(): Promise<void> {
    this.#worker.postMessage('close');
    await this.#exited;
  }

  #settle({ id, value, error }: Reply): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (error === undefined) pending.resolve(value);
    else pending.reject(new Error(error));
  }

  #fail(reason: Error): void {
    this.#failure ??= reason;
    for (const id of [...this.#pending.keys()]) this.#settle({ id, error: reason.message });
  }
}
