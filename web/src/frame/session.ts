import { focusManager } from '@tanstack/react-query';
import { getUser, userQuery } from '../api/auth.ts';
import { queryClient } from '../api/query-client.ts';
import { base } from '../lib/base.ts';
import { leaveFor, shownOnce } from '../lib/leave.ts';
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
  if (user === null) end();
}

function end(): void {
  ended.set(true);
  // As if the page was hidden: no query asks again by itself.
  focusManager.setFocused(false);
}

/** Continues after another sign-in. */
export async function resume(): Promise<void> {
  const user = await getUser();
  const before = queryClient.getQueryData(userQuery.queryKey);
  // Another person must not see what the first one typed.
  if (user?.user_id !== before?.user_id) return leaveFor('/organizations');
  ended.set(false);
  focusManager.setFocused(undefined);
  await queryClient.invalidateQueries();
}

export const useSessionEnded = ended.use;

/** Says in the other tabs who is signed in. */
export const announce = (userId: string | null): void => tabs.postMessage(userId);

/** Does what another tab does: signs out, continues, or leaves the pages of the person who was signed in before. */
export function followTabs(): void {
  tabs.onmessage = ({ data: userId }) => {
    const before = queryClient.getQueryData(userQuery.queryKey);
    // What is shown only once stays until it is saved.
    if (userId === null && shownOnce.count > 0) end();
    else if (userId === null) leaveFor('/login?ended=yes');
    else if (ended.get() || (before && before.user_id !== userId)) void resume();
  };
}
