import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { ChangeWatch } from '../../keys/authenticate.ts';
import { changesChannel } from '../migrations/0001-postgres.ts';
import { connectionConfig, writableText } from './connection.ts';
import { toldFault } from './faults.ts';

/** A change is told when it commits, on a good connection within milliseconds. */
const heartbeatEveryMs = 250;
/**
 * Notifications and heartbeats come in order on one connection: an answered heartbeat shows that whatever had been told
 * before it was sent has arrived. So nothing remembered is trusted for longer than this after a change elsewhere, also
 * when the connection dies without a word.
 */
const trustedForMs = 800;
/** How often a word is sent again. A connection may go on working on a server that nobody else uses any more. */
const probeEveryMs = 2_000;
/** On which each replica sends itself a word, to see that it arrives. */
export const probeChannel = 'embedgate_probe';
const reconnectAfterMs = { first: 50, most: 1_000 };

const notHeard =
  'Notifications do not arrive: DATABASE_LISTEN_URL must lead to the same database, past any pooler in transaction mode';

/**
 * Listens for changes on a connection of its own, from the first `onChange` on. Through a pooler in transaction mode, or to
 * another database by mistake, the connection would be fine and nothing would ever arrive: so nothing is trusted
 * before a word sent over the connections that requests use has come back on this one.
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
  #told = 0;

  /** `onFailure` is told once an outage; listening is tried again until it works. */
  constructor(
    url: string,
    sendProbe: (token: string) => Promise<unknown>,
    onFailure: (reason: unknown) => void,
  ) {
    this.#url = url;
    this.#sendProbe = sendProbe;
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

  /** Listens on a new connection, because others have been found to lead to the wrong server, or nowhere. */
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
    this.#current = lost;
    const isOver = AbortSignal.any([lost.signal, this.#closing.signal]);
    client.on('error', (reason) => {
      this.#aliveAtMs = Number.NEGATIVE_INFINITY;
      lost.abort(reason);
    });
    const probes = new Map<string, () => void>();
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel !== probeChannel) this.#tell(payload);
      else probes.get(payload)?.();
    });
    /** Resolves to whether a word that requests' connections have sent arrives on this one. */
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
        // What changed while nobody listened is unknown.
        if (isFirst) this.#tell(undefined);
        isFirst = false;
        established();
        this.#aliveAtMs = sentAtMs;
        if (sentAtMs - probedAtMs >= probeEveryMs) {
          probedAtMs = sentAtMs;
          // Where it can't be sent, the connections of requests are at fault, and not this one.
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

  /** What this process did itself holds for it at once, and is told it again by the database. */
  readonly tellAll = (): void => this.#tell(undefined);

  #tell(orgId: string | undefined): void {
    this.#told += 1;
    for (const listener of this.#listeners) listener(orgId);
  }
}

async function pause(ms: number, until: AbortSignal): Promise<undefined> {
  return setTimeout(ms, undefined, { signal: until }).catch(() => undefined);
}
