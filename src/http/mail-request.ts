import type { Mail } from '../lib/mailer.ts';
import type { Services } from '../service/services.ts';
import { mayMailRequest } from '../users/mail-bounds.ts';

type Needs = Pick<Services, 'mailer' | 'wishes' | 'attempts' | 'log'>;

/**
 * Mails a request to the administrators and to an organization's owners, after the response: it must neither wait for
 * the mail server, nor show by its duration whether there is such an organization.
 */
export function mailRequest(
  { mailer, wishes, attempts, log }: Needs,
  orgId: string | null,
  mailTo: (address: string) => Mail,
): void {
  if (!mailer) return;
  const send = async (address: string) => {
    if (await mayMailRequest(attempts, address)) await mailer.send(mailTo(address));
  };
  const warn = (reason: unknown) => log.warn({ err: reason }, 'a request could not be mailed');
  wishes
    .addresses(orgId)
    .then((addresses) => Promise.all(addresses.map((address) => send(address).catch(warn))))
    .catch(warn);
}
