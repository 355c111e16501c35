import { harmless } from '../lib/harmless.ts';
import type { Mail } from '../lib/mailer.ts';

/** Returns a link with the token after #, where it reaches no server log and no other site. */
export const resetLink = (origin: string, token: string): string => `${origin}/reset-password#token=${token}`;
export const invitationLink = (origin: string, token: string): string => `${origin}/invite#token=${token}`;

export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Choose a new password',
    text:
      'Someone, probably you, requested a new password for Embedgate. Choose it here within an hour:\n\n' +
      `${link}\n\nIf it was not you, ignore this email: your password stays unchanged.\n`,
  };
}

export function invitationMail(to: string, link: string, from: { organization: string; name: string }): Mail {
  const [organization, name] = [harmless(from.organization), harmless(from.name)];
  return {
    to,
    subject: `Join ${organization} on Embedgate`,
    text:
      `${name} invites you to the organization ${organization} on Embedgate. Accept within 7 days:\n\n` +
      `${link}\n\nIf you do not know what this is about, ignore this email.\n`,
  };
}

/** About a request that the administrators decide. */
export function upgradeMail(
  to: string,
  origin: string,
  from: { organization: string; name: string; tier: string },
): Mail {
  const [organization, name] = [harmless(from.organization), harmless(from.name)];
  return {
    to,
    subject: `${organization} asks for the tier ${from.tier}`,
    text: `${name} asks for the tier ${from.tier} for the organization ${organization} on Embedgate. Decide it here:\n\n${origin}\n`,
  };
}

/** About a request that the administrators and the organization's owners can accept. */
export function accessMail(
  to: string,
  origin: string,
  from: { organization: string; name: string; email: string },
): Mail {
  const [organization, name] = [harmless(from.organization), harmless(from.name)];
  return {
    to,
    subject: `${name} asks to join ${organization} on Embedgate`,
    text:
      `${name} (${from.email}) asks to become a member of ${organization} on Embedgate. Accept or decline it here:\n\n` +
      `${origin}\n\nAnyone can type the name of an organization. Accept only people you know.\n`,
  };
}
