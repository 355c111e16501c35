import { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import { programBeside } from '../../lib/program-beside.ts';
import type { Tier } from '../../quota/tiers.ts';

export type DatabasePaths = { readonly database: string; readonly cache: string };
export type WriterData = DatabasePaths & { readonly tiers: readonly Tier[] };
export type Call = { id: number; store: string; method: string; args: unknown[] };
export type Reply = { id: number; value?: unknown; error?: string };

type Pending = {
  call: Call;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  timer: NodeJS.Timeout;
};

/**
 * One that the thread works on, and one that it finds when it is done. All others wait here, where they can be put in order: quota
 * decisions, which have a place of their own, go before what people and housekeeping ask.
 */
const maxPosted = { urgent: 3, others: 2 };
const urgentStore = 'ledger';

/** Longer than SQLite's own wait for another process's lock: past it something is broken, not busy. */
const defaultDeadlineMs = () => 10_000;

/** A thread that has the databases open, seen from the main thread. */
export class DatabaseThread {
  readonly #worker: Worker;
  /** Those that the thread has, and those that wait, by their number. */
  readonly #pending = new Map<number, Pending>();
  readonly #waiting = { urgent: new Set<number>(), others: new Set<number>() };
  readonly #posted = new Set<number>();
  readonly #exited: Promise<void>;
  readonly #deadlineMs: () => number;
  #nextId = 0;
  #failure: Error | undefined;

  private constructor(worker: Worker, deadlineMs: () => number) {
    this.#worker = worker;
    this.#deadlineMs = deadlineMs;
    worker.on('message', (reply: Reply) => {
      if (!this.#posted.delete(reply.id)) return;
      this.#settle(reply);
      this.#postNext();
    });
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

  /** The thread that writes the vector cache. */
  static caching(paths: DatabasePaths): Promise<DatabaseThread> {
    return DatabaseThread.#open(
      programBeside(import.meta.url, 'cache-thread'),
      paths,
      'cache',
      defaultDeadlineMs,
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

  /** Rejects with `unavailable` when there is no answer in time. What has not been begun by then is never done. */
  call(store: string, method: string, args: unknown[]): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(id), this.#deadlineMs());
      this.#pending.set(id, { call: { id, store, method, args }, resolve, reject, timer });
      this.#waiting[store === urgentStore ? 'urgent' : 'others'].add(id);
      this.#postNext();
    });
  }

  /** The store's methods as calls to the thread. */
  remote<S extends object>(store: string, methods: readonly (keyof S & string)[]): S {
    const entries = methods.map((method) => [method, (...args: unknown[]) => this.call(store, method, args)]);
    return Object.fromEntries(entries) as S;
  }

  /** Ends the thread after the calls already made. */
  async close(): Promise<void> {
    for (const waiting of Object.values(this.#waiting)) for (const id of [...waiting]) this.#post(id);
    this.#worker.postMessage('close');
    await this.#exited;
  }

  #postNext(): void {
    for (const kind of ['urgent', 'others'] as const) {
      for (const id of this.#waiting[kind]) {
        if (this.#posted.size >= maxPosted[kind]) break;
        this.#post(id);
      }
    }
  }

  #post(id: number): void {
    for (const waiting of Object.values(this.#waiting)) waiting.delete(id);
    this.#posted.add(id);
    this.#worker.postMessage(this.#pending.get(id)!.call);
  }

  #settle({ id, value, error }: Reply): void {
    const pending = this.#take(id);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(new Error(error));
  }

  #giveUp(id: number): void {
    this.#take(id)?.reject(unavailable(new Error('The database did not answer in time')));
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    for (const waiting of Object.values(this.#waiting)) waiting.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }

  #fail(reason: Error): void {
    this.#failure ??= reason;
    for (const id of [...this.#pending.keys()]) this.#settle({ id, error: reason.message });
  }
}
