import type { Socket } from 'node:net';
import pg from 'pg';
import { againWhenRolledBack } from '../again-when-rolled-back.ts';
import { connectionConfig, deadlinesMs } from './connection.ts';
import { isConnectionFault, toldFault } from './faults.ts';
import { Lease } from './lease.ts';

/** SQL that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

type Generation = { readonly pool: pg.Pool; readonly sockets: Set<Socket> };

const idleTimeoutMs = 60_000;
/** Connections kept however idle, so that a quiet service doesn't pay for connecting. */
const minSize = 2;

/**
 * Connections with deadlines on everything. One that is found broken puts all idle ones under suspicion: they are left
 * behind, so that after a cut or a failover the next call doesn't wait for a deadline once for each of them.
 */
export class Pool {
  readonly #url: string;
  readonly #size: number;
  readonly #onSuspicion: () => void;
  #current: Generation;

  /** `onSuspicion` is called when the idle connections are left behind. */
  constructor(url: string, size: number, onSuspicion: () => void = () => {}) {
    this.#url = url;
    this.#size = size;
    this.#onSuspicion = onSuspicion;
    this.#current = this.#open();
  }

  /** One statement, committed when it resolves. When it rejects with anything but an answer, it may still have been. */
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return againWhenRolledBack(() => this.#query(statement, values));
  }

  async #query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    const generation = this.#current;
    try {
      const { rows } = await generation.pool.query<R>({ ...statement, values: [...values] });
      return rows;
    } catch (reason) {
      this.#suspect(generation, reason);
      throw toldFault(reason);
    }
  }

  /** A connection for a transaction; whoever takes it releases it. */
  async lease(): Promise<Lease> {
    const generation = this.#current;
    const suspect = (reason: unknown) => this.#suspect(generation, reason);
    try {
      return new Lease(await generation.pool.connect(), suspect);
    } catch (reason) {
      suspect(reason);
      throw toldFault(reason);
    }
  }

  /** Resolves when all connections are closed, at the latest after a query's deadline. */
  close(): Promise<void> {
    return retire(this.#current);
  }

  #open(): Generation {
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      ...connectionConfig(this.#url, sockets),
      // PgBouncer refuses parameters at the start that it isn't told to ignore: see docs/operations.md, "Pooling".
      statement_timeout: deadlinesMs.statement,
      // Whoever vanishes in a transaction must not keep its locks until TCP notices.
      idle_in_transaction_session_timeout: deadlinesMs.idleInTransaction,
      idleTimeoutMillis: idleTimeoutMs,
      max: this.#size,
      min: Math.min(minSize, this.#size),
    });
    // An idle connection was lost: the pool has dropped it, and the next call makes another.
    pool.on('error', () => {});
    return { pool, sockets };
  }

  #suspect(generation: Generation, reason: unknown): void {
    if (generation !== this.#current || !isConnectionFault(reason)) return;
    if (generation.pool.ending || generation.pool.idleCount === 0) return;
    this.#current = this.#open();
    void retire(generation);
    this.#onSuspicion();
  }
}

/** Ends idle connections now and busy ones when they are done; a server that doesn't take part gets a deadline's time. */
async function retire({ pool, sockets }: Generation): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, deadlinesMs.query);
  await pool.end();
  // The pool is done when it has said goodbye; a server that is cut off would leave the sockets open for minutes.
  await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  clearTimeout(timer);
}
