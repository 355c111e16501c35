import { unavailable } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { programBeside, Thread } from '../../lib/threads/thread.ts';
import type { MethodCall, MethodNames } from './serve-in-turn.ts';

/** The stores of a thread, as another thread calls them. */
export type Remote<Stores> = { readonly [Name in keyof Stores]: RemoteStore<Stores[Name]> };

type RemoteStore<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

export interface DatabaseThreadOptions {
  /** The program of the thread: a module in this directory, without its extension, that calls `serveInTurn`. */
  readonly program: string;
  /** Shown by debuggers and the operating system. */
  readonly name: string;
  /** The thread's `workerData`. */
  readonly data: unknown;
  /** The time that calls carry. */
  readonly clock: Clock;
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs?: (() => number) | undefined;
}

interface Waiting {
  readonly call: MethodCall;
  readonly outcome: PromiseWithResolvers<unknown>;
}

/**
 * The maximum number of calls posted to the thread: the one that it runs, and the next. All others wait here, where
 * quota decisions, which have an extra place, overtake the others.
 */
const maxPosted = { urgent: 3, others: 2 };
const urgentStore = 'ledger';

/** Longer than SQLite waits for the lock of another process: after that, something is broken rather than busy. */
const defaultDeadlineMs = () => 10_000;

/** The main thread's side of a thread that has a database open. If the thread dies, the next call starts another. */
export class DatabaseThread<Stores> {
  /**
   * Calls reject with `unavailable` if the thread does not respond in time, or dies. A call that has not started by
   * then never runs.
   */
  readonly stores: Remote<Stores>;
  readonly #thread: Thread<MethodCall, unknown, MethodNames>;
  readonly #waiting = { urgent: new Set<Waiting>(), others: new Set<Waiting>() };
  readonly #posted = new Set<Promise<void>>();
  readonly #clock: Clock;
  readonly #deadlineMs: () => number;

  /** Resolves when the thread has opened its database, whose schema must be up to date. */
  static async start<Stores>(options: DatabaseThreadOptions): Promise<DatabaseThread<Stores>> {
    const { program, name, data } = options;
    const thread = new Thread<MethodCall, unknown, MethodNames>({
      entry: programBeside(import.meta.url, program),
      name,
      data,
    });
    return new DatabaseThread(thread, await thread.start(), options);
  }

  private constructor(
    thread: Thread<MethodCall, unknown, MethodNames>,
    names: MethodNames,
    { clock, deadlineMs = defaultDeadlineMs }: DatabaseThreadOptions,
  ) {
    this.#thread = thread;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    const stores = Object.entries(names).map(([store, methods]) => [
      store,
      Object.fromEntries(
        methods.map((method) => [method, (...args: unknown[]) => this.#call(store, method, args)]),
      ),
    ]);
    this.stores = Object.fromEntries(stores) as Remote<Stores>;
  }

  async #call(store: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const call = { store, method, args, nowMs: this.#clock.now() };
    const waiting = { call, outcome: Promise.withResolvers<unknown>() };
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

  /** Ends the thread after all calls made so far. */
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
