import { queryOptions } from '@tanstack/react-query';
import { base } from '../lib/base.ts';
import { call } from './client.ts';
import { isStatus } from './problem.ts';
import type { components } from './schema.ts';

export type User = components['schemas']['MeUser'];
export type ProviderId = components['schemas']['ProviderSignInRequest']['provider'];

/** The name of the item that a sign-in in this browser leaves until the sign-out. theme.js reads it too. */
const mark = `signed-in${base}`;
const setMark = (): void => localStorage.setItem(mark, 'yes');
export const mayBeSignedIn = (): boolean => localStorage.getItem(mark) !== null;

/** Returns the signed-in user, or null. Without a session, the browser would write a refused request to its console. */
export async function getUser(): Promise<User | null> {
  if (!mayBeSignedIn() && !(await call('get', '/v1/auth/options')).has_session) return null;
  try {
    const me = await call('get', '/v1/me');
    setMark();
    return me.object === 'user' ? me : null;
  } catch (reason) {
    if (!isStatus(reason, 401)) throw reason;
    localStorage.removeItem(mark);
    return null;
  }
}

export const userQuery = queryOptions({
  queryKey: ['me'],
  queryFn: getUser,
  staleTime: 60_000,
  // Without a session it would empty the page. The next refused request asks to sign in again, above the page.
  refetchOnWindowFocus: false,
});

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => call('get', '/v1/auth/options'),
  staleTime: Number.POSITIVE_INFINITY,
});

export async function signIn(body: components['schemas']['Credentials']) {
  const outcome = await call('post', '/v1/auth/sign-in', {}, body);
  if (outcome.status !== 'totp_required') setMark();
  return outcome;
}

export async function signInWithCode(code: { code: string } | { backup_code: string }): Promise<void> {
  await call('post', '/v1/auth/sign-in/totp', {}, code);
  setMark();
}

export const signInWithProvider = (provider: ProviderId, return_to: string) =>
  call('post', '/v1/auth/sign-in/provider', {}, { provider, return_to });

/** Returns where the browser goes next to sign out of the provider too, if it does. */
export async function signOut(): Promise<string | undefined> {
  const signedOut = await call('post', '/v1/auth/sign-out');
  localStorage.removeItem(mark);
  return signedOut?.url;
}
