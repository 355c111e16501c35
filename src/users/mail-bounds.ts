import { emailKey } from '../lib/email.ts';
import type { Attempts } from './attempts.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Maximum numbers of mails that people can cause to others: enough for real use, too few to be worth abusing. */
const limits = { organization: 100, address: 10, addressOfOrganization: 5, reset: 5 };

/** Counts an invitation, whether new or sent again, with or without mail. Throws `rate_limit_exceeded`. */
export function admitInvitation(attempts: Attempts, orgId: string, email: string): Promise<void> {
  const address = emailKey(email);
  return attempts.count(
    [
      [`invitation of ${orgId} to ${address}`, limits.addressOfOrganization],
      [`invitations of ${orgId}`, limits.organization],
      [`invitations to ${address}`, limits.address],
    ],
    dayMs,
  );
}

/**
 * Counts a reset mail, whether or not the user exists, so that a refusal does not reveal it. Throws
 * `rate_limit_exceeded`.
 */
export function admitResetMail(attempts: Attempts, email: string): Promise<void> {
  return attempts.count([[`reset mails to ${emailKey(email)}`, limits.reset]], hourMs);
}
