import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Party } from '../lib/fair-order.ts';
import { FairRoom, type Holding, heldBy } from '../lib/fair-room.ts';
import { Throughput } from './throughput.ts';

const maxRetrySeconds = 60;

interface Admitted {
  readonly holding: Holding;
  readonly throughput: Throughput;
}

/**
 * Limits the number of tokens that are admitted at a time, for all organizations and for each one, and estimates from
 * recent throughput when there will be room.
 */
export class Admission {
  readonly #room: FairRoom;
  readonly #clock: Clock;
  readonly #throughput: Throughput;
  /** The organizations that hold tokens. */
  readonly #admitted = new Map<string, Admitted>();

  constructor(maxTokens: number, clock: Clock) {
    this.#room = new FairRoom(maxTokens);
    this.#clock = clock;
    this.#throughput = new Throughput(clock);
  }

  get heldTokens(): number {
    return this.#room.held;
  }

  /** The number of organizations that hold tokens. */
  get organizations(): number {
    return this.#admitted.size;
  }

  /**
   * Takes a permit and returns the function that releases it. Throws `overloaded` when the organization would hold more
   * than its share, and `invalid_request` when the permit is larger than its share of an empty queue.
   */
  take(organization: Party, tokens: number): () => void {
    const { id, roomPercent } = organization;
    const most = this.#room.largest(roomPercent);
    if (tokens > most) throw tooLarge(tokens, most);
    const admitted = this.#admitted.get(id) ?? this.#newcomer();
    this.#advance(admitted);
    if (!this.#room.take(admitted.holding, tokens, roomPercent)) {
      throw overloaded(this.#waitMs(admitted, tokens, roomPercent));
    }
    this.#admitted.set(id, admitted);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#advance(admitted);
      this.#room.release(admitted.holding, tokens);
      this.#throughput.done(tokens);
      admitted.throughput.done(tokens);
      if (heldBy(admitted.holding) === 0) this.#admitted.delete(id);
    };
  }

  #newcomer(): Admitted {
    return { holding: { shared: 0, reserved: 0 }, throughput: new Throughput(this.#clock) };
  }

  #advance({ holding, throughput }: Admitted): void {
    this.#throughput.advance(this.#room.held > 0);
    throughput.advance(heldBy(holding) > 0);
  }

  #waitMs({ holding, throughput }: Admitted, tokens: number, roomPercent: number): number {
    const excessTokens = this.#room.excess(holding, tokens, roomPercent);
    if (throughput.isKnown) return throughput.millisecondsFor(excessTokens);
    return this.#throughput.millisecondsFor(excessTokens * Math.max(1, this.#admitted.size));
  }
}

function overloaded(waitMs: number): ServiceError {
  const retryAfterSeconds = Math.min(maxRetrySeconds, Math.max(1, Math.ceil(waitMs / 1_000)));
  return new ServiceError('overloaded', 'Too many texts of this organization are waiting. Try again later.', {
    retryAfterSeconds,
    bound: 'MAX_QUEUE_TOKENS',
  });
}

function tooLarge(tokens: number, most: number): ServiceError {
  const [has, fits] = [tokens, most].map((count) => count.toLocaleString('en-US'));
  return new ServiceError(
    'invalid_request',
    `The texts to compute have up to ${has} tokens, but the queue has room for ${fits} of a request. Send fewer texts at a time.`,
    { param: 'input', bound: 'MAX_QUEUE_TOKENS' },
  );
}
