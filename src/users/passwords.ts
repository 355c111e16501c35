import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '@better-auth/utils/password';
import { invalidField, ServiceError } from '../errors.ts';
import { FairTurns } from '../lib/fair-turns.ts';

export const passwordLength = { min: 10, max: 128 } as const;

/** Omits letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 5;

/** Returns a password of 99 random bits in groups that are easy to type: `x7k2m-…`. */
export function generatePassword(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Throws `invalid_request` naming `field`. */
export function requirePassword(password: string, field = 'password'): void {
  if (password.length >= passwordLength.min && password.length <= passwordLength.max) return;
  throw invalidField(field, `${field} must have ${passwordLength.min} to ${passwordLength.max} characters`);
}

/** Each password takes 32 MiB, a core, and one of the threads that sessions and files also need. */
const maxAtATime = 1;
/** About four seconds of work. An error is better than a longer wait. */
const maxWaiting = 64;
const maxWaitingOfNetwork = 8;

/** The passwords that wait. Networks take turns, so that many guesses from some don't delay the others. */
class PasswordQueue {
  readonly #turns = new FairTurns(maxAtATime);
  readonly #ofNetwork = new Map<string, number>();
  #waiting = 0;

  /** Keeps a place while the work runs. Throws `overloaded` when there is none. */
  async withPlace<R>(network: string, work: () => Promise<R>): Promise<R> {
    const ofNetwork = this.#ofNetwork.get(network) ?? 0;
    if (this.#waiting >= maxWaiting || ofNetwork >= maxWaitingOfNetwork) {
      throw new ServiceError('overloaded', 'Too many people are signing in. Try again later.', {
        retryAfterSeconds: 2,
      });
    }
    this.#change(network, 1);
    try {
      return await work();
    } finally {
      this.#change(network, -1);
    }
  }

  /** Runs the computation when it is the network's turn. */
  run<R>(network: string, digest: () => Promise<R>): Promise<R> {
    return this.#turns.run({ id: network, weight: 1 }, 1, digest);
  }

  #change(network: string, by: number): void {
    this.#waiting += by;
    const ofNetwork = (this.#ofNetwork.get(network) ?? 0) + by;
    if (ofNetwork === 0) this.#ofNetwork.delete(network);
    else this.#ofNetwork.set(network, ofNetwork);
  }
}

/** The sender of a password. */
interface Sender {
  readonly network: string;
  /** Whether the browser has signed in as this user before. */
  readonly isKnown: boolean;
  /** Whether the work already has a place in the queue. */
  readonly hasPlace?: boolean;
}

/** Passes the sender through the sign-in library. */
const sender = new AsyncLocalStorage<Sender>();
/** Known browsers have a queue of their own, because anyone can send passwords from any number of networks. */
const queues = { known: new PasswordQueue(), others: new PasswordQueue() };

/** Runs work whose passwords `sentBy` has sent. */
export function withSender<R>(sentBy: Sender, work: () => R): R {
  return sender.run(sentBy, work);
}

/**
 * Does the same with a place in the queue, which the work keeps from before it counts the attempt. So a flood of
 * passwords doesn't fill the queue of the database either. Throws `overloaded` when there is no place.
 */
export function withPlace<R>(sentBy: Sender, work: () => Promise<R>): Promise<R> {
  return queueOf(sentBy).withPlace(sentBy.network, () => sender.run({ ...sentBy, hasPlace: true }, work));
}

/**
 * Hashes a password with scrypt and a random salt, which takes about 60 ms of a core, off the event loop. Throws
 * `overloaded` when too many passwords are waiting.
 */
export function digestPassword(password: string): Promise<string> {
  return inTurn(() => hashPassword(password));
}

/** Reports whether a password has this digest. Throws as `digestPassword` does. */
export function isPassword(password: string, digest: string): Promise<boolean> {
  return inTurn(() => verifyPassword(digest, password));
}

function inTurn<R>(digest: () => Promise<R>): Promise<R> {
  const sentBy: Sender = sender.getStore() ?? { network: '', isKnown: false };
  const { network, hasPlace = false } = sentBy;
  const queue = queueOf(sentBy);
  return hasPlace ? queue.run(network, digest) : queue.withPlace(network, () => queue.run(network, digest));
}

const queueOf = ({ isKnown }: Sender): PasswordQueue => (isKnown ? queues.known : queues.others);
