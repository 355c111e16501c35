import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Credentials } from './user.ts';

/** How long a password is accepted while PASSWORD_SIGN_IN is off. Only the command line sets passwords then. */
const lifetimeMs = 3_600_000;

interface Settings {
  readonly hasPasswords: boolean;
  readonly publicUrl: string | null;
}

/** Throws `forbidden` if people sign in only with a provider. */
export function requirePasswords({ hasPasswords }: Settings): void {
  if (hasPasswords) return;
  throw new ServiceError('forbidden', 'Passwords are turned off: people sign in with the provider');
}

/** Throws `forbidden` if people sign in only with a provider, unless the password was set a short time ago. */
export function requireUsable(settings: Settings, credentials: Credentials | undefined, clock: Clock): void {
  const age = clock.now() - (credentials?.passwordSetAt ?? Number.NEGATIVE_INFINITY);
  if (age > lifetimeMs) requirePasswords(settings);
}

/** Returns what to tell someone who gets a new password; null if there is nothing special about it. */
export const passwordNote = ({ hasPasswords, publicUrl }: Settings): string | null =>
  hasPasswords
    ? null
    : `Passwords are turned off: this one works for an hour, at ${publicUrl}/login?password=yes`;
