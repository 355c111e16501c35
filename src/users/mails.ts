import { harmless } from '../lib/harmless.ts';
import { linkText, type Mail } from '../lib/mailer.ts';

/** Returns a link with the token after #, where it reaches no server log and no other site. */
export const resetLink = (origin: string, token: string): string => `${origin}/reset-password#token=${token}`;
export const invitationLink = (origin: string, token: string): string => `${origin}/invite#token=${token}`;

export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Choose a new password',
    text:
      'Someone, probably you, requested a new password for Embedgate. Choose it here within an hour:\n\n' +
      `${linkText(link)}\n\nIf it was not you, ignore this email: your password stays unchanged.\n`,
  };
}

export function invitationMail(to: string, link: string, from: { organization: string; name: string }): Mail {
  const [organization, name] = [harmless(from.organization), harmless(from.name)];
  return {
    to,
    subject: `Join ${organization} on Embedgate`,
    text:
      `${name} invites you to the organization ${organization} on Embedgate. Accept within 7 days:\n\n` +
      `${linkText(link)}\n\nIf you do not know what this is about, ignore this email.\n`,
  };
}
