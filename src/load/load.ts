import type { Bounds } from '../config/bounds.ts';
import { ServiceError } from '../errors.ts';
import { Turns } from './turns.ts';

/** The bounds that can be reached, by the names of their settings. */
export const boundNames = [
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'MAX_REQUESTS_PER_CONNECTION',
  'MAX_REQUESTS_PER_ORGANIZATION',
  'MAX_REQUESTS_AT_WORK',
  'MAX_KEYS_PER_ORGANIZATION',
  'MAX_BODY_KB',
  'MAX_FORM_KB',
  'MAX_HELD_MB',
  'MAX_HELD_MB_PER_ORGANIZATION',
  'HEADER_TIMEOUT_SECONDS',
  'BODY_TIMEOUT_SECONDS',
  'IDLE_TIMEOUT_SECONDS',
  'UNREAD_TIMEOUT_SECONDS',
] as const;

export type BoundName = (typeof boundNames)[number];

/**
 * The party that a request is charged to: the organization of its key, the user of its session, or otherwise the
 * address it comes from.
 */
export interface Client {
  readonly kind: 'organization' | 'user' | 'address';
  readonly id: string;
}

/** The resources that a client holds. */
export interface Share {
  readonly client: Client;
  requests: number;
  bytes: number;
}

const retryAfterSeconds = 1;

/** The resources of the service that clients hold, and how often each bound was reached. */
export class Load {
  readonly bounds: Bounds;
  readonly reached = new Map<BoundName, number>(boundNames.map((name) => [name, 0]));
  readonly turns: Turns;
  connections = 0;
  /**
   * Whether the service is about to stop. It then reports that it isn't ready, and closes each connection after its
   * next response.
   */
  isDraining = false;
  #requests = 0;
  #bytes = 0;
  /** The shares of the clients that hold something. */
  readonly #shares: Readonly<Record<Client['kind'], Map<string, Share>>> = {
    organization: new Map(),
    user: new Map(),
    address: new Map(),
  };

  constructor(bounds: Bounds) {
    this.bounds = bounds;
    this.turns = new Turns(bounds.maxRequestsAtWork, () => this.reach('MAX_REQUESTS_AT_WORK'));
  }

  get requests(): number {
    return this.#requests;
  }

  get heldBytes(): number {
    return this.#bytes;
  }

  /** Counts that a bound was reached. */
  reach(name: BoundName): void {
    this.reached.set(name, this.reached.get(name)! + 1);
  }

  /** Called only by `Hold`. */
  begin(): void {
    this.#requests += 1;
  }

  /** Called only by `Hold`. Returns the client's share, including this request. Throws `rate_limit_exceeded`. */
  join(client: Client, bytes: number): Share {
    const shares = this.#shares[client.kind];
    const share = shares.get(client.id) ?? { client, requests: 0, bytes: 0 };
    if (share.requests >= this.bounds.maxRequestsPerOrganization) {
      this.reach('MAX_REQUESTS_PER_ORGANIZATION');
      throw new ServiceError(
        'rate_limit_exceeded',
        `This ${client.kind} has ${share.requests.toLocaleString('en-US')} requests in progress, which is the maximum. Try again later.`,
        { retryAfterSeconds },
      );
    }
    if (share.requests === 0) shares.set(client.id, share);
    share.requests += 1;
    share.bytes += bytes;
    return share;
  }

  /**
   * Called only by `Hold`. Throws `rate_limit_exceeded` or `overloaded` if the bytes exceed a bound. Accepts 0 bytes,
   * and any number while nothing else counts towards the bound.
   */
  addBytes(share: Share | undefined, bytes: number): void {
    const { maxHeldBytes, maxHeldBytesPerOrganization } = this.bounds;
    if (bytes > 0 && share && share.bytes > 0 && share.bytes + bytes > maxHeldBytesPerOrganization) {
      this.reach('MAX_HELD_MB_PER_ORGANIZATION');
      throw new ServiceError(
        'rate_limit_exceeded',
        `The requests in progress of this ${share.client.kind} and their responses have reached their maximum total size. Try again later.`,
        { retryAfterSeconds },
      );
    }
    if (bytes > 0 && this.#bytes > 0 && this.#bytes + bytes > maxHeldBytes) {
      this.reach('MAX_HELD_MB');
      throw new ServiceError('overloaded', 'Too many large requests are in progress. Try again later.', {
        retryAfterSeconds,
      });
    }
    this.#bytes += bytes;
    if (share) share.bytes += bytes;
  }

  /** Called only by `Hold`. */
  end(share: Share | undefined, bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
    if (!share) return;
    share.requests -= 1;
    share.bytes -= bytes;
    if (share.requests === 0) this.#shares[share.client.kind].delete(share.client.id);
  }
}

export const nameOf = ({ kind, id }: Client): string => `${kind} ${id}`;
