import type { PoolClient, QueryResult } from 'pg';
import { isAnswer, loggableFault } from './faults.ts';

/** A connection of a pool, leased for one transaction. A broken connection never returns to the pool. */
export class Lease {
  readonly #client: PoolClient;
  readonly #onFault: (reason: unknown) => void;
  readonly #queryMs: number;
  #fault: unknown;

  /** `queryMs` is the deadline of a statement that has none of its own. */
  constructor(client: PoolClient, onFault: (reason: unknown) => void, queryMs: number) {
    this.#client = client;
    this.#onFault = onFault;
    this.#queryMs = queryMs;
    // The pool only listens to idle connections, and an `error` event without a listener would end the process.
    client.on('error', this.#fail);
  }

  async query<R extends object>(
    sql: string,
    parameters: readonly unknown[] = [],
    timeoutMs: number = this.#queryMs,
  ): Promise<QueryResult<R>> {
    // After a statement without a response, another one would only run into its deadline.
    if (this.#fault !== undefined) throw loggableFault(this.#fault);
    const query = { text: sql, values: [...parameters], query_timeout: timeoutMs };
    try {
      return await this.#client.query<R>(query);
    } catch (reason) {
      if (!isAnswer(reason)) this.#fail(reason);
      throw loggableFault(reason);
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
