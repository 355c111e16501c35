import { ServiceError } from '../errors.ts';
import type { Attempts } from './attempts.ts';

const limit = 10;

export type CodeKind = 'totp' | 'backup';

/**
 * Counts a guess at a code of a second factor. `device` is a browser that is known to belong to the user; its guesses
 * are counted separately. The two kinds of codes are counted separately too, so that a user who is blocked from one can
 * use the other. Throws `rate_limit_exceeded`.
 */
export async function admitCode(
  attempts: Attempts,
  { kind, userId, address, device }: { kind: CodeKind; userId: string; address: string; device?: string },
): Promise<void> {
  if (device !== undefined) return attempts.count([[`${kind} of device ${device}`, limit]]);
  await attempts.admit(address);
  return attempts.count([[`${kind} of ${userId}`, limit]]);
}

/**
 * Counts a code that a signed-in user sends to turn on the second factor. Guesses at a sign-in do not use up this
 * allowance. Throws `rate_limit_exceeded`.
 */
export function admitConfirmation(attempts: Attempts, userId: string): Promise<void> {
  return attempts.count([[`confirmation of ${userId}`, limit]]);
}

/** Returns an error if a code of an authenticator, which the library has accepted, was used before. */
export async function refusedCode(
  attempts: Attempts,
  userId: string,
  code: string,
): Promise<ServiceError | undefined> {
  if (await attempts.claimCode(userId, code)) return undefined;
  return new ServiceError('invalid_credentials', 'This code was already used: wait for the next one');
}
