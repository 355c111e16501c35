import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { ChangeWatch } from '../../keys/authenticate.ts';
import { changesChannel } from '../migrations/0001-postgres.ts';
import { connectionConfig } from './connection.ts';
import { toldFault } from './faults.ts';

/** A change is told when it commits, on a good connection within milliseconds. */
const heartbeatEveryMs = 250;
/**
 * Notifications and heartbeats come in order on one connection: an answered heartbeat shows that whatever had been told
 * before it was sent has arrived. So nothing remembered is trusted for longer than this after a change elsewhere, also
 * when the connection dies without a word.
 */
const trustedForMs = 800;
const reconnectAfterMs = { first: 50, most: 1_000 };

/**
 * Listens for changes on a connection of its own, from the first `onChange` on. Needs a real session: through PgBouncer in
 * transaction mode nothing would ever arrive.
 */
export class PostgresWatch implements ChangeWatch {
  readonly #url: string;
  readonly #onFailure: (reason: unknown) => void;
  readonly #listeners: ((orgId: string | undefined) => void)[] = [];
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #aliveAtMs = Number.NEGATIVE_INFINITY;
  #told = 0;

  /** `onFailure` is told once an outage; listening is tried again until it works. */
  constructor(url: string, onFailure: (reason: unknown) => void) {
    this.#url = url;
    this.#onFailure = onFailure;
  }

  /** How often listeners were told. */
  get told(): number {
    return this.#told;
  }

  current(): boolean {
    return performance.now() - this.#aliveAtMs < trustedForMs;
  }

  onChange(listener: (orgId: string | undefined) => void): void {
    this.#listeners.push(listener);
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    const established = () => {
      failures = 0;
    };
    while (!this.#closing.signal.aborted) {
      try {
        await this.#listen(established);
      } catch (reason) {
        failures += 1;
        if (failures === 1) this.#onFailure(toldFault(reason));
        const delayMs = Math.min(reconnectAfterMs.most, reconnectAfterMs.first * 2 ** Math.min(failures, 10));
        // Replicas that lost their connections at once come back one after the other.
        await pause(delayMs * (0.5 + Math.random() / 2), this.#closing.signal);
      }
    }
  }

  /** Resolves when closing, and rejects when the connection is lost. */
  async #listen(established: () => void): Promise<void> {
    const sockets = new Set<Socket>();
    const client = new pg.Client({ ...connectionConfig(this.#url, sockets), query_timeout: trustedForMs });
    const lost = new AbortController();
    const isOver = AbortSignal.any([lost.signal, this.#closing.signal]);
    client.on('error', (reason) => {
      this.#aliveAtMs = Number.NEGATIVE_INFINITY;
      lost.abort(reason);
    });
    client.on('notification', ({ payload }) => this.#tell(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${changesChannel}`);
      let isFirst = true;
      while (!isOver.aborted) {
        const sentAtMs = performance.now();
        await client.query('SELECT 1');
        // What changed while nobody listened is unknown.
        if (isFirst) this.#tell(undefined);
        isFirst = false;
        established();
        this.#aliveAtMs = sentAtMs;
        await pause(heartbeatEveryMs, isOver);
      }
      lost.signal.throwIfAborted();
    } finally {
      this.#aliveAtMs = Number.NEGATIVE_INFINITY;
      for (const socket of sockets) socket.destroy();
    }
  }

  #tell(orgId: string | undefined): void {
    this.#told += 1;
    for (const listener of this.#listeners) listener(orgId);
  }
}

async function pause(ms: number, until: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal: until }).catch(() => {});
}
