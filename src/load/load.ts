import type { Logger } from 'pino';
import type { Bounds } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import type { Sharer, Weights } from '../lib/fair-order.ts';
import { FairRoom, type Holding, heldBy } from '../lib/fair-room.ts';
import { FairTurns, type Turn } from '../lib/fair-turns.ts';

/** The bounds that can be reached, by the names of their settings. */
export const boundNames = [
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'MAX_REQUESTS_PER_ORGANIZATION',
  'MAX_REQUESTS_AT_WORK',
  'MAX_KEYS_PER_ORGANIZATION',
  'MAX_BODY_KB',
  'MAX_FORM_KB',
  'MAX_HELD_MB',
  'MAX_HELD_MB_PER_ORGANIZATION',
  'MAX_QUEUE_TOKENS',
  'HEADER_TIMEOUT_SECONDS',
  'BODY_TIMEOUT_SECONDS',
] as const;

export type BoundName = (typeof boundNames)[number];

/**
 * The party that a request is charged to: the organization of its key, the user of its session, or otherwise the
 * address it comes from.
 */
export interface Client {
  readonly kind: 'organization' | 'user' | 'address';
  readonly id: string;
  /** The tier of an organization. */
  readonly tier?: string;
}

/** The resources that a client holds. */
export interface Share extends Sharer {
  readonly client: Client;
  readonly holding: Holding;
  requests: number;
}

interface Failure {
  readonly reason: unknown;
  /** On the clock of `performance.now`. */
  readonly atMs: number;
}

const retryAfterSeconds = 1;
/** A browser sends six requests at a time, and several people can share a network. */
const maxFilesAtWork = 32;

/** How often a bound that goes on refusing is logged. */
const logEveryMs = 60_000;

/** The resources of the service that clients hold, and how often each bound was reached. */
export class Load {
  readonly bounds: Bounds;
  readonly reached = new Map<BoundName, number>(boundNames.map((name) => [name, 0]));
  /** Limits how many requests of each client are at work at a time. */
  readonly #working: FairTurns;
  /** The turns in which each network gets the dashboard's files and the documents, which need no key. */
  readonly fileTurns = new FairTurns(Number.POSITIVE_INFINITY, maxFilesAtWork);
  /** The last failed lookup of each network, shared with that network's waiting lookups. */
  readonly failedLookUps = new Map<string, Failure>();
  /** The turns in which requests are refused because the queue is full. */
  readonly refusing = new FairTurns(1);
  connections = 0;
  /**
   * Whether the service is about to stop. It then reports that it isn't ready, and closes each connection after its
   * next response.
   */
  isDraining = false;
  /** Whether the service listens, but has not finished its start. It then reports that it isn't ready. */
  isStarting = false;
  #requests = 0;
  /** The requests that wait for another one of their client to end, in order of arrival, by the client's name. */
  readonly #waiting = new Map<string, Set<() => void>>();
  #waitingRequests = 0;
  readonly #room: FairRoom;
  readonly #tiers: Weights;
  readonly #log: Pick<Logger, 'warn'> | undefined;
  /** When each bound was logged last, on the clock of `performance.now`. */
  readonly #loggedMs = new Map<BoundName, number>();
  /** What requests hold before their clients are known. */
  readonly #unknown: Holding = { shared: 0, reserved: 0 };
  /** The shares of the clients that hold something. */
  readonly #shares: Readonly<Record<Client['kind'], Map<string, Share>>> = {
    organization: new Map(),
    user: new Map(),
    address: new Map(),
  };

  constructor(bounds: Bounds, tiers: Weights, log?: Pick<Logger, 'warn'>) {
    this.bounds = bounds;
    this.#log = log;
    this.#room = new FairRoom(bounds.maxHeldBytes);
    this.#tiers = tiers;
    this.#working = new FairTurns(Number.POSITIVE_INFINITY, bounds.maxRequestsAtWork);
  }

  get requests(): number {
    return this.#requests;
  }

  get heldBytes(): number {
    return this.#room.held;
  }

  /** Counts that a bound was reached. Logs once a minute whose connection or request it refused, if it did. */
  reach(name: BoundName, refused?: string): void {
    const count = this.reached.get(name)! + 1;
    this.reached.set(name, count);
    const sinceMs = performance.now() - (this.#loggedMs.get(name) ?? Number.NEGATIVE_INFINITY);
    if (!refused || sinceMs < logEveryMs) return;
    this.#loggedMs.set(name, performance.now());
    this.#log?.warn({ bound: name, client: refused, count }, 'a bound was reached');
  }

  /** Called only by `Hold`. Takes a place in a client's queue of requests at work. */
  takeWork(id: string): Turn {
    if (this.#working.running(id) >= this.bounds.maxRequestsAtWork) this.reach('MAX_REQUESTS_AT_WORK');
    return this.#working.take({ id, weight: 1 });
  }

  isAtWork(id: string): boolean {
    return this.#working.running(id) > 0;
  }

  /** Called only by `Hold`. */
  begin(): void {
    this.#requests += 1;
  }

  /** Reports whether a client has as many requests in progress as it may have. */
  isFull({ kind, id }: Client): boolean {
    const requests = this.#shares[kind].get(id)?.requests ?? 0;
    return requests >= this.bounds.maxRequestsPerOrganization;
  }

  /**
   * Called only by `Hold`. Calls `begin` when another request of the client has ended, in order of arrival. Returns the
   * function that leaves the queue. Returns undefined if the connections that are left are for other clients.
   */
  waitForEnd(client: Client, begin: () => void): (() => void) | undefined {
    if (this.#waitingRequests >= this.bounds.maxConnections >> 1) return undefined;
    const name = nameOf(client);
    const others = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, others);
    const leave = () => {
      if (!others.delete(next)) return;
      this.#waitingRequests -= 1;
      if (others.size === 0) this.#waiting.delete(name);
    };
    const next = () => {
      leave();
      begin();
    };
    others.add(next);
    this.#waitingRequests += 1;
    return leave;
  }

  /** Called only by `Hold`. Returns the client's share, including this request. Throws `rate_limit_exceeded`. */
  join(client: Client, bytes: number): Share {
    const shares = this.#shares[client.kind];
    const share = shares.get(client.id) ?? this.#newShare(client);
    if (this.isFull(client)) {
      this.reach('MAX_REQUESTS_PER_ORGANIZATION', share.id);
      throw new ServiceError(
        'rate_limit_exceeded',
        `This ${client.kind} has ${share.requests.toLocaleString('en-US')} requests in progress, which is the ` +
          'maximum (MAX_REQUESTS_PER_ORGANIZATION). Try again later.',
        { retryAfterSeconds },
      );
    }
    if (share.requests === 0) shares.set(client.id, share);
    share.requests += 1;
    this.#room.release(this.#unknown, bytes);
    this.#room.takeAnyway(share.holding, bytes);
    return share;
  }

  #newShare(client: Client): Share {
    const id = nameOf(client);
    const holding = { shared: 0, reserved: 0 };
    return { id, weight: this.#tiers.weightOf(client.tier), client, holding, requests: 0 };
  }

  /**
   * Called only by `Hold`. Throws `rate_limit_exceeded` or `overloaded` if the client would hold more than its bound,
   * or more than its share of what is free. Accepts 0 bytes, and any number while nothing else counts towards the
   * bound.
   */
  addBytes(share: Share | undefined, bytes: number): void {
    if (bytes === 0) return;
    const holding = share?.holding ?? this.#unknown;
    const heldBytes = heldBy(holding);
    if (share && heldBytes > 0 && heldBytes + bytes > this.bounds.maxHeldBytesPerOrganization) {
      this.reach('MAX_HELD_MB_PER_ORGANIZATION', share.id);
      throw new ServiceError(
        'rate_limit_exceeded',
        `The requests in progress of this ${share.client.kind} and their responses have reached their maximum ` +
          'total size (MAX_HELD_MB_PER_ORGANIZATION). Try again later.',
        { retryAfterSeconds },
      );
    }
    if (this.#room.held === 0) this.#room.takeAnyway(holding, bytes);
    else if (!this.#room.take(holding, bytes)) {
      this.reach('MAX_HELD_MB', share?.id ?? 'unknown');
      throw new ServiceError(
        'overloaded',
        'Too many large requests are in progress (MAX_HELD_MB). Try again later.',
        { retryAfterSeconds },
      );
    }
  }

  /** Called only by `Hold`. */
  end(share: Share | undefined, bytes: number): void {
    this.#requests -= 1;
    this.#room.release(share?.holding ?? this.#unknown, bytes);
    if (!share) return;
    share.requests -= 1;
    if (share.requests === 0) this.#shares[share.client.kind].delete(share.client.id);
    for (const next of this.#waiting.get(share.id) ?? []) {
      if (this.isFull(share.client)) return;
      next();
    }
  }
}

export const nameOf = ({ kind, id }: Client): string => `${kind} ${id}`;
