import type { PoolClient, QueryResult } from 'pg';
import { deadlinesMs } from './connection.ts';
import { isAnswer, toldFault } from './faults.ts';

/** One connection of a pool, for as long as a transaction takes. A broken one never goes back into the pool. */
export class Lease {
  readonly #client: PoolClient;
  readonly #onFault: (reason: unknown) => void;
  #fault: unknown;

  constructor(client: PoolClient, onFault: (reason: unknown) => void) {
    this.#client = client;
    this.#onFault = onFault;
    // The pool listens to idle connections only, and an `error` without a listener would end the process.
    client.on('error', this.#fail);
  }

  /** `timeoutMs` in place of the usual deadline. */
  async query<R extends object>(
    sql: string,
    parameters: readonly unknown[] = [],
    timeoutMs: number = deadlinesMs.query,
  ): Promise<QueryResult<R>> {
    // Behind a statement that never got its answer, another would only wait for its own deadline.
    if (this.#fault !== undefined) throw toldFault(this.#fault);
    const query = { text: sql, values: [...parameters], query_timeout: timeoutMs };
    try {
      return await this.#client.query<R>(query);
    } catch (reason) {
      if (!isAnswer(reason)) this.#fail(reason);
      throw toldFault(reason);
    }
  }

  release(destroy = false): void {
    this.#client.off('error', this.#fail);
    this.#client.release(destroy || this.#fault !== undefined);
  }

  readonly #fail = (reason: unknown): void => {
    if (this.#fault !== undefined) return;
    this.#fault = reason;
    this.#onFault(reason);
  };
}
