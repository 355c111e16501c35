import { focusManager } from '@tanstack/react-query';
import { getUser, userQuery } from '../api/auth.ts';
import { queryClient } from '../api/query-client.ts';
import { base } from '../lib/base.ts';
import { sharedState } from '../lib/shared-state.ts';

/** Carries sign-outs to the other tabs. */
const tabs = new BroadcastChannel(`embedgate-session${base}`);
const ended = sharedState(false);

/**
 * Asks the service whether the session has ended after a request was refused. The page stays, and so does what was
 * typed.
 */
export async function checkSession(): Promise<void> {
  if (ended.get() || !queryClient.getQueryData(userQuery.queryKey)) return;
  // Without a response, nobody knows. The next refusal asks again.
  const user = await getUser().catch(() => undefined);
  if (user !== null) return;
  ended.set(true);
  // As if the page was hidden: no query asks again by itself.
  focusManager.setFocused(false);
}

/** Continues after another sign-in. */
export async function resume(): Promise<void> {
  const before = queryClient.getQueryData(userQuery.queryKey);
  const user = await queryClient.query({ ...userQuery, staleTime: 0 });
  // Another person must not see what the first one typed.
  if (user?.user_id !== before?.user_id) location.assign(`${base}/organizations`);
  ended.set(false);
  focusManager.setFocused(undefined);
  await queryClient.invalidateQueries();
}

export const useSessionEnded = ended.use;

export const announceSignOut = (): void => tabs.postMessage('signed out');

/** Leaves the pages when another tab signs out: they must not stay readable. */
export function followSignOuts(): void {
  tabs.onmessage = () => location.assign(`${base}/login?ended=yes`);
}
