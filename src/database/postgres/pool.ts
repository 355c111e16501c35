import type { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema.ts';
import { columnNames } from '../sql.ts';
import { retryIfRolledBack } from '../transactions.ts';
import { connectionConfig, type Deadlines, deadlinesMs } from './connection.ts';
import { isAnswer, isConnectionFault, isWithoutConnection, poolFault } from './faults.ts';

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface PoolOptions {
  /** Called when the idle connections are abandoned. */
  readonly onSuspicion?: () => void;
  readonly deadlines?: Deadlines;
}

type Generation = { readonly pool: pg.Pool; readonly sockets: Set<Socket> };

const idleTimeoutMs = 60_000;
/** Idle connections are kept open up to this number, so that requests after a pause need not connect. */
const minSize = 2;
/** The share of time above which an event loop counts as busy. */
const busyUtilization = 0.5;

/**
 * A pool of connections with deadlines for everything. When a connection is found broken, the idle ones are abandoned
 * too. Otherwise the calls after a network cut or a failover would run into a deadline once per idle connection.
 */
export class Pool {
  readonly #url: string;
  readonly #size: number;
  readonly #onSuspicion: () => void;
  readonly #deadlines: Deadlines;
  #current: Generation;

  constructor(
    url: string,
    size: number,
    { onSuspicion = () => {}, deadlines = deadlinesMs }: PoolOptions = {},
  ) {
    this.#url = url;
    this.#size = size;
    this.#onSuspicion = onSuspicion;
    this.#deadlines = deadlines;
    this.#current = this.#open();
  }

  /**
   * Runs a statement and commits it. May have committed it even if it rejects, unless `isAboutData` holds for the
   * reason.
   */
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return retryIfRolledBack(() => this.#query(statement, values));
  }

  async #query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    const query = { ...statement, values: [...values] };
    const { rows } = await this.#use(({ pool }) => pool.query<R>(query));
    return rows;
  }

  /** Returns a connection for a transaction. The caller releases it. */
  async lease(): Promise<Lease> {
    return this.#use(async (generation) => {
      const suspect = (reason: unknown) => this.#suspect(generation, reason);
      return new Lease(await generation.pool.connect(), suspect, this.#deadlines.query);
    });
  }

  /**
   * Uses a connection. Tries once more if there was none before the deadline because this process was busy for most of
   * that time: a connection may be free, and its response not read yet.
   */
  async #use<R>(work: (generation: Generation) => Promise<R>, mayRetry = true): Promise<R> {
    const generation = this.#current;
    const begun = performance.eventLoopUtilization();
    try {
      return await work(generation);
    } catch (reason) {
      const isBusyHere = performance.eventLoopUtilization(begun).utilization > busyUtilization;
      if (mayRetry && isBusyHere && isWithoutConnection(reason)) return this.#use(work, false);
      this.#suspect(generation, reason);
      throw poolFault(reason);
    }
  }

  /** Resolves when all connections are closed, at the latest after the deadline of a query. */
  close(): Promise<void> {
    return this.#retire(this.#current);
  }

  #open(): Generation {
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      ...connectionConfig(this.#url, sockets, this.#deadlines),
      // PgBouncer refuses these startup parameters unless it is configured to ignore them: see docs/operations.md,
      // "Pooling".
      statement_timeout: this.#deadlines.statement,
      // A client that vanishes in a transaction must not keep its locks until TCP notices.
      idle_in_transaction_session_timeout: this.#deadlines.idleInTransaction,
      idleTimeoutMillis: idleTimeoutMs,
      max: this.#size,
      min: Math.min(minSize, this.#size),
    });
    // An idle connection was lost. The pool has removed it, and the next call opens another.
    pool.on('error', () => {});
    return { pool, sockets };
  }

  #suspect(generation: Generation, reason: unknown): void {
    if (generation !== this.#current || !isConnectionFault(reason)) return;
    if (generation.pool.ending || generation.pool.idleCount === 0) return;
    this.#current = this.#open();
    void this.#retire(generation);
    this.#onSuspicion();
  }

  /**
   * Closes idle connections now, and busy ones when they are done. Gives a server that does not respond one deadline.
   */
  async #retire({ pool, sockets }: Generation): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, this.#deadlines.query);
    await pool.end();
    // The pool doesn't wait for the sockets, which would stay open for minutes if the server is cut off.
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(timer);
  }
}

/** A connection of a pool, leased for one transaction. A broken connection never returns to the pool. */
export class Lease {
  readonly #client: pg.PoolClient;
  readonly #onFault: (reason: unknown) => void;
  readonly #queryMs: number;
  #fault: unknown;

  /** `queryMs` is the deadline of a statement that has none of its own. */
  constructor(client: pg.PoolClient, onFault: (reason: unknown) => void, queryMs: number) {
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
  ): Promise<pg.QueryResult<R>> {
    // After a statement without a response, another one would only run into its deadline.
    if (this.#fault !== undefined) throw poolFault(this.#fault);
    const query = { text: sql, values: [...parameters], query_timeout: timeoutMs };
    try {
      return await this.#client.query<R>(query);
    } catch (reason) {
      if (!isAnswer(reason)) this.#fail(reason);
      throw poolFault(reason);
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

/** Returns a Kysely on a pool, which its owner closes. */
export function kyselyOver(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({
    plugins: [columnNames],
    dialect: new PostgresDialect({
      pool: {
        options: {},
        // A lease has no cursors, which only streaming would need.
        connect: async () => (await pool.lease()) as Pick<Lease, 'release'> as PostgresPoolClient,
        end: async () => {},
      },
    }),
  });
}
