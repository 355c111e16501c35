import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { changesChannel } from '../database/migrations/baseline/postgres.ts';
import { connectionConfig, writableText } from '../database/postgres/connection.ts';
import { loggableFault } from '../database/postgres/faults.ts';
import type { ChangeWatch } from './authenticate.ts';

const heartbeatEveryMs = 250;
/**
 * How long remembered records may be trusted after a heartbeat. A connection delivers notifications and responses in
 * order, so the response to a heartbeat shows that all notifications from before it was sent have arrived. This also
 * bounds how long a change can go unnoticed when the connection silently dies.
 */
const trustedForMs = 800;
/**
 * How often to probe again: the listening connection could lead to a server that the other connections no longer use.
 */
const probeEveryMs = 2_000;
/** The channel on which each replica sends itself probes. */
export const probeChannel = 'embedgate_probe';
const reconnectAfterMs = { first: 50, most: 1_000 };

const notHeard =
  'Notifications do not arrive: DATABASE_LISTEN_URL must lead to the same database, past any pooler in ' +
  'transaction mode';

/**
 * Listens for changes on a connection of its own, from the first `onChange` on. Through a pooler in transaction mode,
 * or to the wrong database, the connection would work but receive nothing. So remembered records are not trusted before
 * a probe, sent through the connections of requests, arrives on this connection.
 */
export class PostgresWatch implements ChangeWatch {
  readonly #url: string;
  readonly #sendProbe: (token: string) => Promise<unknown>;
  readonly #onFailure: (reason: unknown) => void;
  readonly #listeners: ((orgId: string | undefined) => void)[] = [];
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #current: AbortController | undefined;
  #aliveAtMs = Number.NEGATIVE_INFINITY;
  #notifications = 0;

  /** Calls `onFailure` once per outage, and tries to listen again until it works. */
  constructor(
    url: string,
    sendProbe: (token: string) => Promise<unknown>,
    onFailure: (reason: unknown) => void,
  ) {
    this.#url = url;
    this.#sendProbe = sendProbe;
    this.#onFailure = onFailure;
  }

  /** The number of times that listeners were notified. */
  get notifications(): number {
    return this.#notifications;
  }

  current(): boolean {
    return performance.now() - this.#aliveAtMs < trustedForMs;
  }

  onChange(listener: (orgId: string | undefined) => void): void {
    this.#listeners.push(listener);
    this.#running ??= this.#run();
  }

  /** Listens on a new connection, because others were found to be broken or to lead to the wrong server. */
  listenAgain(): void {
    this.#current?.abort(new Error('The connections of requests were lost'));
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
        if (this.#closing.signal.aborted) return;
        failures += 1;
        if (failures === 1) this.#onFailure(loggableFault(reason));
        const delayMs = Math.min(reconnectAfterMs.most, reconnectAfterMs.first * 2 ** Math.min(failures, 10));
        // Random, so that replicas that lost their connections together don't reconnect at the same moment.
        await pause(delayMs * (0.5 + Math.random() / 2), this.#closing.signal);
      }
    }
  }

  /** Resolves on close, and rejects when the connection is lost. */
  async #listen(established: () => void): Promise<void> {
    const sockets = new Set<Socket>();
    const client = new pg.Client({ ...connectionConfig(this.#url, sockets), query_timeout: trustedForMs });
    const lost = new AbortController();
    this.#current = lost;
    const isOver = AbortSignal.any([lost.signal, this.#closing.signal]);
    client.on('error', (reason) => {
      this.#aliveAtMs = Number.NEGATIVE_INFINITY;
      lost.abort(reason);
    });
    const probes = new Map<string, () => void>();
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel !== probeChannel) this.#notify(payload);
      else probes.get(payload)?.();
    });
    /** Reports whether a probe sent through the connections of requests arrives on this connection. */
    const isHeard = async (): Promise<boolean> => {
      const token = randomUUID();
      const arrived = new Promise<true>((resolve) => probes.set(token, () => resolve(true)));
      try {
        await this.#sendProbe(token);
        return (await Promise.race([arrived, pause(trustedForMs, isOver)])) === true;
      } finally {
        probes.delete(token);
      }
    };
    try {
      await client.connect();
      await client.query(`LISTEN ${changesChannel}; LISTEN ${probeChannel}`);
      if (!(await isHeard())) throw new Error(notHeard);
      let probedAtMs = performance.now();
      let isFirst = true;
      while (!isOver.aborted) {
        const sentAtMs = performance.now();
        await client.query(writableText);
        // Anything may have changed before this connection listened.
        if (isFirst) this.#notify(undefined);
        // A connection that is lost right away doesn't shorten the pause before the next one.
        else established();
        isFirst = false;
        this.#aliveAtMs = sentAtMs;
        if (sentAtMs - probedAtMs >= probeEveryMs) {
          probedAtMs = sentAtMs;
          // If the probe can't be sent, the connections of requests are broken, and not this one.
          void isHeard().then(
            (heard) => heard || lost.abort(new Error(notHeard)),
            () => {},
          );
        }
        await pause(heartbeatEveryMs, isOver);
      }
      lost.signal.throwIfAborted();
    } finally {
      this.#aliveAtMs = Number.NEGATIVE_INFINITY;
      for (const socket of sockets) socket.destroy();
    }
  }

  /** Applies this process's own changes immediately. The database's notification of them follows. */
  readonly notifyAll = (): void => this.#notify(undefined);

  #notify(orgId: string | undefined): void {
    this.#notifications += 1;
    for (const listener of this.#listeners) listener(orgId);
  }
}

async function pause(ms: number, until: AbortSignal): Promise<undefined> {
  return setTimeout(ms, undefined, { signal: until }).catch(() => undefined);
}
