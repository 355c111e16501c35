import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { maxNameLength } from '../keys/key.ts';
import { emailKey, isEmail, localPart } from '../lib/email.ts';
import type { SignInSettings } from './sign-in.ts';

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * Decides which users of a provider may sign in. A provider must report the address as verified before it creates an
 * account or is linked to one. If the account's address was never verified, a stranger could have created the account:
 * it loses every other way to sign in first, or, if it is an administrator's, is not linked at all.
 */
export function providerRules({ makeWayForProvider }: SignInSettings): ValidateUserInfo {
  return async ({ user, source }) => {
    // An account that is already linked belongs to the person who signs in, even if their address has changed.
    if (source.method !== 'oauth' || source.action === 'sign-in') return undefined;
    if (user.emailVerified !== true) return { error: 'email_not_verified' };
    if (source.action !== 'link-account') return undefined;
    const isFree = user.id !== undefined && (await makeWayForProvider(user.id));
    return isFree ? undefined : { error: 'account_not_linked' };
  };
}

/** Throws if the user is disabled, however they sign in. */
export async function requireEnabled({ isDisabled }: SignInSettings, userId: string): Promise<void> {
  if (!(await isDisabled(userId))) return;
  throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: 'This account is disabled' });
}

interface NewcomerFields {
  readonly email: string;
  readonly name: string;
}

/** Returns the cleaned fields of a new account. Throws if sign-up is closed and the address has no invitation. */
export async function admitNewcomer<U extends NewcomerFields>(
  { isSignUpOpen, isInvited }: SignInSettings,
  user: U,
): Promise<U & { image: null }> {
  if (!isSignUpOpen && !(await isInvited(user.email))) {
    throw new APIError('FORBIDDEN', { code: 'SIGN_UP_CLOSED', message: 'Sign-up is closed' });
  }
  const email = emailKey(user.email);
  if (!isEmail(email)) {
    throw new APIError('FORBIDDEN', { code: 'email_not_found', message: 'The email address is not valid' });
  }
  return { ...user, email, name: cleanName(user.name, email), image: null };
}

/** Users choose their names at the provider, where our rules do not apply. */
function cleanName(name: string, email: string): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
    .trim();
  return clean === '' ? localPart(email).slice(0, maxNameLength) : clean;
}
