import type { Bounds } from '../config/bounds.ts';
import { ServiceError } from '../errors.ts';

/** What can be reached: each names the setting that bounds it. */
export const boundNames = [
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'MAX_REQUESTS_PER_CONNECTION',
  'MAX_REQUESTS_PER_ORGANIZATION',
  'MAX_BODY_KB',
  'MAX_FORM_KB',
  'MAX_HELD_MB',
  'MAX_HELD_MB_PER_ORGANIZATION',
  'HEADER_TIMEOUT_SECONDS',
  'BODY_TIMEOUT_SECONDS',
  'UNREAD_TIMEOUT_SECONDS',
] as const;

export type BoundName = (typeof boundNames)[number];

/** What an organization holds. */
interface Share {
  requests: number;
  bytes: number;
}

const retryAfterSeconds = 1;

/** What clients hold of the service now, and how often each bound was reached. */
export class Load {
  readonly bounds: Bounds;
  readonly reached = new Map<BoundName, number>(boundNames.map((name) => [name, 0]));
  connections = 0;
  #requests = 0;
  #bytes = 0;
  /** Of the organizations that hold something. */
  readonly #shares = new Map<string, Share>();

  constructor(bounds: Bounds) {
    this.bounds = bounds;
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

  /** Begins a request, which holds nothing yet but itself. To be released once its response is done. */
  begin(): Hold {
    this.#requests += 1;
    return new Hold(this);
  }

  /** For `Hold` alone. */
  joinOrganization(orgId: string, bytes: number): void {
    const share = this.#shares.get(orgId) ?? { requests: 0, bytes: 0 };
    if (share.requests >= this.bounds.maxRequestsPerOrganization) {
      this.reach('MAX_REQUESTS_PER_ORGANIZATION');
      throw new ServiceError(
        'rate_limit_exceeded',
        `This organization has ${share.requests.toLocaleString('en-US')} requests in progress, which is as many as it may have. Try again later.`,
        { retryAfterSeconds },
      );
    }
    share.requests += 1;
    share.bytes += bytes;
    this.#shares.set(orgId, share);
  }

  /** For `Hold` alone. Throws when more than 0 bytes are more than may be held. */
  addBytes(orgId: string | undefined, bytes: number): void {
    const { maxHeldBytes, maxHeldBytesPerOrganization } = this.bounds;
    const share = orgId === undefined ? undefined : this.#shares.get(orgId);
    if (bytes > 0 && share && share.bytes > 0 && share.bytes + bytes > maxHeldBytesPerOrganization) {
      this.reach('MAX_HELD_MB_PER_ORGANIZATION');
      throw new ServiceError(
        'rate_limit_exceeded',
        "This organization's requests in progress, with their responses, are as large as they may be together. Try again later.",
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

  /** For `Hold` alone. */
  end(orgId: string | undefined, bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
    const share = orgId === undefined ? undefined : this.#shares.get(orgId);
    if (!share || orgId === undefined) return;
    share.requests -= 1;
    share.bytes -= bytes;
    if (share.requests === 0) this.#shares.delete(orgId);
  }
}

/** What one request holds, from its headers to the last byte of its response. */
export class Hold {
  readonly #load: Load;
  #orgId: string | undefined;
  #bytes = 0;
  #isReleased = false;

  constructor(load: Load) {
    this.#load = load;
  }

  /** Charges the request to an organization, once it is known. Throws `rate_limit_exceeded` when that has as many as it may have. */
  charge(orgId: string): void {
    if (this.#orgId !== undefined || this.#isReleased) return;
    this.#load.joinOrganization(orgId, this.#bytes);
    this.#orgId = orgId;
  }

  /** Adds bytes of the body, or of the response to come. Throws `rate_limit_exceeded` or `overloaded`, and then adds none. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    this.#load.addBytes(this.#orgId, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#load.end(this.#orgId, this.#bytes);
  }
}
