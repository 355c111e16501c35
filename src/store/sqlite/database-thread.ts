import { unavailable } from '../../errors.ts';
import { programBeside } from '../../lib/threads/program-beside.ts';
import { Thread } from '../../lib/threads/thread.ts';
import type { Tier } from '../../quota/tiers.ts';

export type DatabasePaths = { readonly database: string; readonly cache: string };
export type WriterData = DatabasePaths & { readonly tiers: readonly Tier[] };
export type Call = { readonly store: string; readonly method: string; readonly args: readonly unknown[] };

interface Waiting {
  readonly call: Call;
  readonly outcome: PromiseWithResolvers<unknown>;
}

/**
 * One that the thread works on, and one that it finds when it is done. All others wait here, where they can be put in order: quota
 * decisions, which have a place of their own, go before what people and housekeeping ask.
 */
const maxPosted = { urgent: 3, others: 2 };
const urgentStore = 'ledger';

/** Longer than SQLite's own wait for another process's lock: past it something is broken, not busy. */
const defaultDeadlineMs = () => 10_000;

/** A thread that has the databases open, seen from the main thread. One that dies is replaced for the next call. */
export class DatabaseThread {
  readonly #thread: Thread<Call, unknown>;
  readonly #waiting = { urgent: new Set<Waiting>(), others: new Set<Waiting>() };
  readonly #posted = new Set<Promise<void>>();
  readonly #deadlineMs: () => number;

  private constructor(thread: Thread<Call, unknown>, deadlineMs: () => number) {
    this.#thread = thread;
    this.#deadlineMs = deadlineMs;
  }

  /** The thread that writes: it opens the databases, whose schema is up to date. Rejects with the reason when that fails. */
  static writing(data: WriterData, deadlineMs = defaultDeadlineMs): Promise<DatabaseThread> {
    return DatabaseThread.#open('writer-thread', 'database', data, deadlineMs);
  }

  /** The thread that writes the vector cache. */
  static caching(paths: DatabasePaths): Promise<DatabaseThread> {
    return DatabaseThread.#open('cache-thread', 'cache', paths, defaultDeadlineMs);
  }

  /** A thread that reads what takes a while. */
  static reading(paths: DatabasePaths): Promise<DatabaseThread> {
    return DatabaseThread.#open('reader-thread', 'reports', paths, defaultDeadlineMs);
  }

  static async #open(
    program: string,
    name: string,
    data: DatabasePaths,
    deadlineMs: () => number,
  ): Promise<DatabaseThread> {
    const thread = new Thread<Call, unknown>({ entry: programBeside(import.meta.url, program), name, data });
    await thread.start();
    return new DatabaseThread(thread, deadlineMs);
  }

  /**
   * Rejects with `unavailable` when there is no answer in time, or when the thread dies meanwhile. What has not been begun by then is
   * never done.
   */
  async call(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const waiting = { call: { store, method, args }, outcome: Promise.withResolvers<unknown>() };
    const queue = this.#waiting[store === urgentStore ? 'urgent' : 'others'];
    const timer = setTimeout(() => {
      queue.delete(waiting);
      waiting.outcome.reject(unavailable(new Error('The database did not answer in time')));
    }, this.#deadlineMs());
    queue.add(waiting);
    this.#postNext();
    try {
      return await waiting.outcome.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The store's methods as calls to the thread. */
  remote<S extends object>(store: string, methods: readonly (keyof S & string)[]): S {
    const entries = methods.map((method) => [method, (...args: unknown[]) => this.call(store, method, args)]);
    return Object.fromEntries(entries) as S;
  }

  /** Ends the thread after the calls already made. */
  async close(): Promise<void> {
    for (const queue of Object.values(this.#waiting)) for (const waiting of queue) this.#post(waiting, queue);
    await Promise.all(this.#posted);
    await this.#thread.close();
  }

  #postNext(): void {
    for (const kind of ['urgent', 'others'] as const) {
      for (const waiting of this.#waiting[kind]) {
        if (this.#posted.size >= maxPosted[kind]) break;
        this.#post(waiting, this.#waiting[kind]);
      }
    }
  }

  #post(waiting: Waiting, queue: Set<Waiting>): void {
    queue.delete(waiting);
    const { resolve, reject } = waiting.outcome;
    const done = this.#thread
      .call(waiting.call)
      .then(resolve, reject)
      .then(() => {
        this.#posted.delete(done);
        this.#postNext();
      });
    this.#posted.add(done);
  }
}
