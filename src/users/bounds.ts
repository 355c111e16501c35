import { ServiceError } from '../errors.ts';
import { emailKey } from '../lib/email.ts';
import type { Attempts } from './attempts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Maximum numbers of mails that people can cause to others: enough for real use, too few to be worth abusing. */
const limits = { organization: 100, address: 10, addressOfOrganization: 5, reset: 5 };

/** Counts an invitation, whether new or sent again, with or without mail. Throws `rate_limit_exceeded`. */
export function admitInvitation(attempts: Attempts, orgId: string, email: string): Promise<void> {
  return attempts.count(
    [
      [`invitation of ${orgId} to ${emailKey(email)}`, limits.addressOfOrganization],
      [`invitations of ${orgId}`, limits.organization],
    ],
    dayMs,
  );
}

/**
 * Counts the mail of an invitation, and reports whether it may be sent. If it may not, the link can still be handed
 * over: other organizations must not be able to use up what a person may receive.
 */
export async function mayMailInvitation(attempts: Attempts, email: string): Promise<boolean> {
  try {
    await attempts.count([[`invitations to ${emailKey(email)}`, limits.address]], dayMs);
    return true;
  } catch (reason) {
    if (reason instanceof ServiceError && reason.code === 'rate_limit_exceeded') return false;
    throw reason;
  }
}

/**
 * Counts a reset mail, whether or not the user exists, so that a refusal does not reveal it. Throws
 * `rate_limit_exceeded`.
 */
export function admitResetMail(attempts: Attempts, email: string): Promise<void> {
  return attempts.count([[`reset mails to ${emailKey(email)}`, limits.reset]], hourMs);
}

const limit = 10;

type CodeKind = 'totp' | 'backup';

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
