import { Unavailable } from '../../../packages/small/src/errors.ts';
import { Thread } from '../../../packages/small/src/threads/thread.ts';
import { givenOrigin } from '../../audit/origin.ts';
import { ServiceError, unavailable } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { FairTurns } from '../../lib/fair-turns.ts';
import type { MethodCall, MethodNames, MethodReply } from './serve-in-turn.ts';

/** The stores of a thread, as another thread calls them. */
export type Remote<Stores> = { readonly [Name in keyof Stores]: RemoteStore<Stores[Name]> };

type RemoteStore<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

export interface DatabaseThreadOptions {
  /** The program of the thread: a module that calls `serveInTurn`. */
  readonly program: URL;
  /** Shown by debuggers and the operating system. */
  readonly name: string;
  /** The thread's `workerData`. */
  readonly data: unknown;
  /** The time that calls carry. */
  readonly clock: Clock;
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs?: (() => number) | undefined;
}

/**
 * Maximum number of calls posted to the thread. Others wait here. Only two places are for calls other than quota
 * decisions, so a quota decision never waits for their queue.
 */
const maxPosted = { all: 3, others: 2 };
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
  readonly #thread: Thread<MethodCall, MethodReply, MethodNames>;
  readonly #turns = new FairTurns(maxPosted.all, maxPosted.others);
  readonly #calls = new Set<Promise<unknown>>();
  readonly #clock: Clock;
  readonly #deadlineMs: () => number;

  /** Resolves when the thread has opened its database, whose schema must be up to date. */
  static async start<Stores>(options: DatabaseThreadOptions): Promise<DatabaseThread<Stores>> {
    const { program, name, data } = options;
    const thread = new Thread<MethodCall, MethodReply, MethodNames>({
      entry: program,
      name,
      data,
    });
    return new DatabaseThread(thread, await thread.start(), options);
  }

  private constructor(
    thread: Thread<MethodCall, MethodReply, MethodNames>,
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
    const call = { store, method, args, nowMs: this.#clock.now(), origin: givenOrigin() };
    const turn = this.#turns.take({ id: store === urgentStore ? 'urgent' : 'others', weight: 1 });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(unavailable(new Error('The database did not answer in time'))),
      this.#deadlineMs(),
    );
    const running = Promise.race([turn.begun, late.promise])
      .then(() => this.#thread.call(call))
      .catch((reason) => {
        throw reason instanceof Unavailable ? unavailable(reason) : reason;
      })
      .then((reply) => {
        if ('refusal' in reply) throw ServiceError.of(reply.refusal);
        return reply.result;
      });
    this.#calls.add(running);
    const end = (): void => {
      this.#calls.delete(running);
      turn.end();
    };
    running.then(end, end);
    return Promise.race([running, late.promise]).finally(() => clearTimeout(timer));
  }

  /** Ends the thread after all calls made so far. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#calls);
    await this.#thread.close();
  }
}
