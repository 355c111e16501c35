import { ServiceError } from '../errors.ts';
import { type Client, type Load, nameOf, type Share } from './load.ts';

/**
 * What one request holds, from its headers until its response is closed and its work has ended. A client that goes early gives nothing
 * back before the work does.
 */
export class Hold {
  readonly #load: Load;
  #share: Share | undefined;
  #bytes = 0;
  #responseBytes = 0;
  #isClosed = false;
  #isWorking = false;
  #isReleased = false;
  #endTurn: (() => void) | undefined;
  #stopWaiting: ((reason: unknown) => void) | undefined;

  /** Begins a request, which holds nothing yet but itself. */
  constructor(load: Load) {
    this.#load = load;
    load.begin();
  }

  /** Charges the request to a client, once it is known. Throws `rate_limit_exceeded` when that has as many as it may have. */
  charge(client: Client): void {
    if (this.#share || this.#isReleased) return;
    this.#share = this.#load.join(client, this.#bytes);
  }

  /** Adds bytes of the body. Throws `rate_limit_exceeded` or `overloaded`, and then adds none. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    this.#load.addBytes(this.#share, bytes);
    this.#bytes += bytes;
  }

  /** Adds what the response has more than was added for it before: once it is there, or before it is made. Throws as `add` does. */
  addResponse(bytes: number): void {
    const more = bytes - this.#responseBytes;
    if (more <= 0) return;
    this.add(more);
    this.#responseBytes = bytes;
  }

  /** Calls `begin` when it is the client's turn, which lasts as long as the request. Never calls it for a request that was closed before. */
  takeTurn(client: Client, begin: () => void): void {
    if (this.#isReleased) return;
    this.#endTurn = this.#load.turns.take(nameOf(client), begin);
    if (this.#isReleased) this.#endTurn();
  }

  /**
   * Looks something up before the client is known, when it is the turn of its network among others that do so. Throws `request_timeout` when the
   * request is closed before.
   */
  async lookUp<R>(network: string, find: () => Promise<R>): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = this.#load.turns.take(`look-up ${network}`, resolve);
    this.#stopWaiting = reject;
    if (this.#isClosed) reject(gone());
    try {
      await promise;
      return await find();
    } finally {
      this.#stopWaiting = undefined;
      end();
    }
  }

  /** To be called before the request's handler is. Returns whether it may be: not for a request that is closed. */
  beginWork(): boolean {
    this.#isWorking = !this.#isClosed;
    return this.#isWorking;
  }

  /** To be called when the handler has returned what it will, or has failed. */
  endWork(): void {
    this.#isWorking = false;
    this.#releaseIfDone();
  }

  /** To be called when the response is closed, sent or not. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting?.(gone());
    this.#releaseIfDone();
  }

  #releaseIfDone(): void {
    if (this.#isReleased || this.#isWorking || !this.#isClosed) return;
    this.#isReleased = true;
    this.#endTurn?.();
    this.#load.end(this.#share, this.#bytes);
  }
}

function gone(): ServiceError {
  return new ServiceError('request_timeout', 'The client has gone before its request was begun.');
}
