import { ServiceError } from '../errors.ts';
import { emailKey } from '../lib/email.ts';
import type { Attempts } from './attempts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Maximum numbers of mails that people can cause to others: enough for real use, too few to be worth abusing. */
const limits = { organization: 100, address: 10, addressOfOrganization: 5, reset: 5, requests: 10 };

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
 * Counts the mail of an invitation, and reports whether it may be sent. If it may not, the link can still be handed over:
 * other organizations must not be able to use up what a person may receive.
 */
export function mayMailInvitation(attempts: Attempts, email: string): Promise<boolean> {
  return mayMail(attempts, `invitations to ${emailKey(email)}`);
}

/** Counts a request for another tier or for access. Throws `rate_limit_exceeded`. */
export function admitRequest(attempts: Attempts, userId: string): Promise<void> {
  return attempts.count([[`requests of ${userId}`, limits.requests]], dayMs);
}

/** Counts the mail about such a request, and reports whether it may be sent. The lists show the request anyway. */
export function mayMailRequest(attempts: Attempts, email: string): Promise<boolean> {
  return mayMail(attempts, `mails about requests to ${emailKey(email)}`);
}

async function mayMail(attempts: Attempts, subject: string): Promise<boolean> {
  try {
    await attempts.count([[subject, limits.address]], dayMs);
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
