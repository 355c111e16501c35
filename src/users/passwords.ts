import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '@better-auth/utils/password';
import { ServiceError } from '../errors.ts';
import { AtATime } from '../lib/at-a-time.ts';

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
  throw new ServiceError(
    'invalid_request',
    `${field} must have ${passwordLength.min} to ${passwordLength.max} characters`,
    { param: field },
  );
}

/** Each password takes 32 MiB, a core, and one of the threads that sessions and files also need. */
const maxAtATime = 1;
/** About four seconds of work. An error is better than a longer wait. */
const maxWaiting = 64;
const work = new AtATime(maxAtATime, maxWaiting);

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

async function inTurn<R>(digest: () => Promise<R>): Promise<R> {
  if (work.isFull) {
    throw new ServiceError('overloaded', 'Too many people are signing in. Try again later.', {
      retryAfterSeconds: 2,
    });
  }
  return work.run(digest);
}
