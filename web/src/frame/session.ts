import { focusManager } from '@tanstack/react-query';
import { getUser, userQuery } from '../api/auth.ts';
import { queryClient } from '../api/query-client.ts';
import { base } from '../lib/base.ts';
import { sharedState } from '../lib/shared-state.ts';

/** Carries sign-ins and sign-outs to the other tabs: the user's identifier, or null. */
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

/** Continues after another sign-in, here and in the other tabs. */
export async function resume(): Promise<void> {
  await carryOn();
  announce(queryClient.getQueryData(userQuery.queryKey)?.user_id ?? null);
}

async function carryOn(): Promise<void> {
  const user = await getUser();
  if (user?.user_id !== queryClient.getQueryData(userQuery.queryKey)?.user_id) return leave('/organizations');
  ended.set(false);
  focusManager.setFocused(undefined);
  await queryClient.invalidateQueries();
}

/** Loads a page anew: another person must not see what the first one typed. */
const leave = (path: string): Promise<never> => {
  location.assign(base + path);
  return new Promise(() => {});
};

export const useSessionEnded = ended.use;

/** Says in the other tabs who is signed in. */
export const announce = (userId: string | null): void => tabs.postMessage(userId);

/** Does what other tabs do: signs out, continues, or leaves the pages of a person for those of another one. */
export function followTabs(): void {
  tabs.onmessage = ({ data: userId }) => {
    const user = queryClient.getQueryData(userQuery.queryKey);
    if (userId === null) void leave('/login?ended=yes');
    else if (user && user.user_id !== userId) void leave('/organizations');
    else if (ended.get()) void carryOn();
  };
}
