import { randomInt } from 'node:crypto';
import { invalidRequest, ServiceError } from '../errors.ts';
import type { Sharer } from '../lib/fair-order.ts';
import { FairRoom, type Holding, heldBy } from '../lib/fair-room.ts';

/** Clients that were refused together don't return together. */
const retrySeconds = { least: 1, most: 4 };

/** Limits the number of tokens that are admitted at a time, for all organizations and for each one. */
export class Admission {
  readonly #room: FairRoom;
  /** What each organization holds, if it holds any. */
  readonly #holdings = new Map<string, Holding>();

  constructor(maxTokens: number) {
    this.#room = new FairRoom(maxTokens);
  }

  get heldTokens(): number {
    return this.#room.held;
  }

  /** The number of organizations that hold tokens. */
  get organizations(): number {
    return this.#holdings.size;
  }

  /**
   * Takes room for tokens, and returns the function that gives it back. Throws `overloaded` when the organization would
   * hold more than its share, and `invalid_request` when the tokens are more than its share of an empty queue.
   */
  take(organization: Sharer, tokens: number): () => void {
    const { id } = organization;
    const most = this.#room.largest;
    if (tokens > most) throw tooManyTokens(tokens, most);
    const holding = this.#holdings.get(id) ?? { shared: 0, reserved: 0 };
    if (!this.#room.take(holding, tokens)) throw overloaded();
    this.#holdings.set(id, holding);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#room.release(holding, tokens);
      if (heldBy(holding) === 0) this.#holdings.delete(id);
    };
  }
}

function overloaded(): ServiceError {
  const { least, most } = retrySeconds;
  return new ServiceError(
    'overloaded',
    'Too many texts of this organization are waiting (MAX_QUEUE_TOKENS). Try again later.',
    { retryAfterSeconds: randomInt(least, most + 1), bound: 'MAX_QUEUE_TOKENS' },
  );
}

function tooManyTokens(tokens: number, most: number): ServiceError {
  const [has, fits] = [tokens, most].map((count) => count.toLocaleString('en-US'));
  return invalidRequest(
    `The texts to compute have up to ${has} tokens, but the queue has room for ${fits} of a request ` +
      '(MAX_QUEUE_TOKENS). Send fewer texts per request.',
    { param: 'input', bound: 'MAX_QUEUE_TOKENS' },
  );
}
