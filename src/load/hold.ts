import type { Bounds } from '../config/config.ts';
import { ServiceError } from '../errors.ts';
import type { Sharer } from '../lib/fair-order.ts';
import type { InTurn, Turn } from '../lib/fair-turns.ts';
import { runInTurn, takeLoopTurn } from './event-loop.ts';
import { type Client, type Load, nameOf, type Share } from './load.ts';

/** A lookup that has waited this long when another one fails is not tried: it would only wait for the same database. */
const lookUpPatienceMs = 200;

/** With bodies of 128 KiB, 50 refusals a second take about a sixth of a core. */
const msPerRefusal = 20;

const unknownParty = { id: '', weight: 1 };

/**
 * The resources that one request holds, from its headers until its response is closed and its work has ended. If the
 * client disconnects early, they stay held until the work ends.
 */
export class Hold {
  readonly #beganMs = performance.now();
  readonly #load: Load;
  #share: Share | undefined;
  #bytes = 0;
  #responseBytes = 0;
  #isClosed = false;
  #isWorking = false;
  #isReleased = false;
  #endTurn: (() => void) | undefined;
  #stopWaiting: ((reason: unknown) => void) | undefined;
  #whenClosed: (() => void) | undefined;

  /** Begins a request, which holds no bytes and no turn yet. */
  constructor(load: Load) {
    this.#load = load;
    load.begin();
  }

  /** The time since the request's headers arrived. */
  get ageMs(): number {
    return performance.now() - this.#beganMs;
  }

  get bounds(): Bounds {
    return this.#load.bounds;
  }

  /**
   * Charges the request to a client once the client is known. Throws `rate_limit_exceeded` when the client has as many
   * requests in progress as it may have.
   */
  charge(client: Client): void {
    if (this.#share || this.#isReleased) return;
    this.#share = this.#load.join(client, this.#bytes);
  }

  /**
   * Charges the request to a client as soon as one of its others ends, or throws as `charge` does if that takes longer than
   * `maxWaitMs`. Throws `request_timeout` if the request is closed before.
   */
  async chargeInTime(client: Client, maxWaitMs: number): Promise<void> {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const leave = this.#load.waitForEnd(client, () => {
      this.charge(client);
      resolve();
    });
    if (!leave) return this.charge(client);
    const timer = setTimeout(resolve, maxWaitMs);
    await this.#begun({ begun, end: leave }).finally(() => clearTimeout(timer));
    leave();
    this.charge(client);
  }

  /** Adds bytes of the body. Throws `rate_limit_exceeded` or `overloaded`, and then adds nothing. */
  add(bytes: number): void {
    if (this.#isReleased) return;
    this.#load.addBytes(this.#share, bytes);
    this.#bytes += bytes;
  }

  /**
   * Adds the bytes by which the response exceeds those added for it before. Can be called before or after the response
   * is created. Throws as `add` does.
   */
  addResponse(bytes: number): void {
    const more = bytes - this.#responseBytes;
    if (more <= 0) return;
    this.add(more);
    this.#responseBytes = bytes;
  }

  /** Whose turns the request takes. */
  get party(): Sharer {
    return this.#share ?? unknownParty;
  }

  /**
   * Calls `begin` when it is the client's turn, which lasts as long as the request. Never calls it if the request was
   * already closed.
   */
  takeTurn(client: Client, begin: () => void): void {
    if (!this.#isReleased) this.#keep(this.#load.takeWork(nameOf(client)), begin);
  }

  /** Calls `begin` when it is the network's turn to get a file, as `takeTurn` does. */
  takeFileTurn(network: string, begin: () => void): void {
    if (!this.#isReleased) this.#keep(this.#load.fileTurns.take({ id: network, weight: 1 }), begin);
  }

  #keep(turn: Turn, begin: () => void): void {
    this.#endTurn = turn.end;
    void turn.begun.then(() => {
      if (!this.#isReleased) begin();
    });
  }

  /**
   * Resolves when the client has its turn of the event loop, which `runInTurn` ends. Throws `request_timeout` if the
   * request is closed before that.
   */
  takeLoopTurn(): Promise<Turn> {
    return this.#begun(takeLoopTurn(this.party));
  }

  /** Runs work in the client's turn of the event loop. Throws as `takeLoopTurn` does. */
  readonly inTurn: InTurn = async (work) => await runInTurn(await this.takeLoopTurn(), work);

  /**
   * Resolves when it is the client's turn to be refused because the queue is full. Clients that send a refused request
   * again at once would otherwise take the processor from the requests that are being computed.
   */
  async takeRefusalTurn(): Promise<void> {
    const { refusing, isDraining } = this.#load;
    if (isDraining) return;
    const turn = refusing.take(this.party, 1);
    await turn.begun;
    // Nobody can send a refused request to this process again once it drains.
    if (this.#load.isDraining) turn.end();
    else setTimeout(turn.end, msPerRefusal);
  }

  /**
   * Runs a lookup that is needed to identify the client, when it is its network's turn. Throws `request_timeout` if the
   * request is closed before that. Throws `unavailable` without a lookup if another one of the network found that while
   * this one waited.
   */
  async lookUp<R>(network: string, find: () => Promise<R>): Promise<R> {
    const id = `look-up ${network}`;
    const { failedLookUps } = this.#load;
    const sinceMs = performance.now();
    const turn = await this.#begun(this.#load.takeWork(id));
    try {
      const failed = failedLookUps.get(id);
      if (failed && failed.atMs - sinceMs > lookUpPatienceMs) throw failed.reason;
      return await find().catch((reason) => {
        if (reason instanceof ServiceError && reason.code === 'unavailable')
          failedLookUps.set(id, { reason, atMs: performance.now() });
        throw reason;
      });
    } finally {
      turn.end();
      if (!this.#load.isAtWork(id)) failedLookUps.delete(id);
    }
  }

  /**
   * Waits for a turn. Leaves the queue, and throws `request_timeout`, if the request is closed before the turn begins.
   */
  async #begun(turn: Turn): Promise<Turn> {
    const closed = Promise.withResolvers<never>();
    this.#stopWaiting = closed.reject;
    if (this.#isClosed) closed.reject(gone());
    try {
      await Promise.race([closed.promise, turn.begun]);
      return turn;
    } catch (reason) {
      turn.end();
      throw reason;
    } finally {
      this.#stopWaiting = undefined;
    }
  }

  /**
   * Must be called before the request's handler. Returns false if the request is closed and the handler must not run.
   */
  beginWork(): boolean {
    this.#isWorking = !this.#isClosed;
    return this.#isWorking;
  }

  /** Must be called when the handler has returned its last value or has failed. */
  endWork(): void {
    this.#isWorking = false;
    this.#releaseIfDone();
  }

  /** Must be called when the response is closed, sent or not. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaiting?.(gone());
    this.#releaseIfDone();
    this.#whenClosed?.();
  }

  /** Calls `then` when the response is closed, sent or not; at once if it already is. Only the last `then` is kept. */
  whenClosed(then: () => void): void {
    if (this.#isClosed) then();
    else this.#whenClosed = then;
  }

  #releaseIfDone(): void {
    if (this.#isReleased || this.#isWorking || !this.#isClosed) return;
    this.#isReleased = true;
    this.#endTurn?.();
    this.#load.end(this.#share, this.#bytes);
  }
}

function gone(): ServiceError {
  return new ServiceError('request_timeout', 'The client disconnected while its request waited.');
}
