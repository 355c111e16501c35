import type { Attempts } from './attempts.ts';
import { emailKey } from './email.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Mails that people can have sent to others: enough for every real use, and too few to be worth abusing. */
const limits = { organization: 100, address: 10, addressOfOrganization: 5, reset: 5 };

/** Counts an invitation, sent again or not, with or without mail. Throws `rate_limit_exceeded`. */
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

/** Counts a reset mail, whether or not there is such a user: a refusal tells nothing of that. Throws `rate_limit_exceeded`. */
export function admitResetMail(attempts: Attempts, email: string): Promise<void> {
  return attempts.count([[`reset mails to ${emailKey(email)}`, limits.reset]], hourMs);
}
