import { fieldsOf } from '../../../packages/small/src/json.ts';
import { invalidField } from '../../errors.ts';
import { validEmail } from '../../lib/email.ts';
import { harmless } from '../../lib/harmless.ts';
import { linkText } from '../../lib/mailer.ts';
import { type ChannelKind, type ChannelParts, type SendOutcome, textFor } from './kind.ts';

const deadlineMs = 20_000;

/** Sends notices by mail. */
export function emailChannel({ mailer, nameOf, publicUrl }: ChannelParts): ChannelKind {
  return {
    parseAddress(text) {
      if (mailer) return validEmail(text, 'address');
      throw invalidField('kind', 'This service sends no email: SMTP_URL is not set');
    },

    createSecret: () => null,

    async askToConfirm({ address }, token, orgId) {
      if (!mailer) throw new Error('SMTP_URL is not set');
      const name = harmless(await nameOf(orgId));
      await mailer.send({
        to: address,
        subject: `Confirm this address for alerts of ${name}`,
        text:
          `Someone asked Embedgate to mail alerts about the quota of ${name} to this address. If you want ` +
          'them, confirm ' +
          `it here:\n\n${linkText(`${publicUrl}/confirm-address#token=${token}`)}\n\n` +
          'If you do not know what this is about, ignore this email: nothing else will be sent.\n',
      });
    },

    async send({ payload }, { address }, signal) {
      if (!mailer) return { delivered: false, final: false, text: 'SMTP_URL is not set' };
      try {
        const { subject, text, link } = await textFor(payload, { nameOf, publicUrl });
        const ends = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
        await before(ends, mailer.send({ to: address, subject, text: `${text}${link && `\n\n${link}`}\n` }));
        return { delivered: true, final: false, text: 'The mail server accepted it' };
      } catch (reason) {
        return failure(reason);
      }
    },
  };
}

/**
 * Returns the result of `work`, or throws when the signal aborts. A mail can't be recalled: one that was given up may
 * still be sent, and then arrives twice.
 */
async function before<R>(signal: AbortSignal, work: Promise<R>): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Reports only the mail server's code: its message may reveal more than an organization should know. */
function failure(reason: unknown): SendOutcome {
  const { name, responseCode, code } = fieldsOf(reason);
  const isLate = name === 'AbortError' || name === 'TimeoutError';
  const what = isLate ? 'did not respond in time' : `returned ${responseCode ?? code ?? 'an error'}`;
  return { delivered: false, final: false, text: `The mail server ${what}` };
}
