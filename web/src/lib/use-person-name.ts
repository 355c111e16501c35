import { useQueries, useQuery } from '@tanstack/react-query';
import { userQuery } from '../api/auth.ts';
import { firstMembersQuery, memberQuery } from '../api/members.ts';
import type { UsageReport } from '../api/usage.ts';
import { oneUserQuery } from '../api/users.ts';
import { useOrganization } from './use-organization.ts';

/** The rest are shown by their ids: a page does not send a request for each of hundreds of ids. */
const mostAsked = 20;

/**
 * The names of those people among `ids` who are the signed-in user, members or, for administrators, any users.
 * Undefined if unknown.
 */
export function usePersonName(
  ids: readonly (string | null)[],
): (userId: string | null) => string | undefined {
  const { org_id: orgId } = useOrganization();
  const { data: user } = useQuery(userQuery);
  const { data: members } = useQuery(firstMembersQuery(orgId));
  const isAdmin = user?.is_admin ?? false;
  const known = [...(members ?? []), ...(user ? [user] : [])];
  const missing = [...new Set(ids)]
    .filter((id) => id !== null && members !== undefined && !known.some(({ user_id }) => user_id === id))
    .slice(0, mostAsked) as string[];
  const found = useQueries({
    queries: missing.map((id) => (isAdmin ? oneUserQuery(id) : memberQuery(orgId, id))),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return (userId) => [...known, ...found].find(({ user_id }) => user_id === userId)?.name;
}

export type KeyShare = UsageReport['keys'][number];
type Named = Pick<KeyShare, 'key_id' | 'name'>;

/** The name of a key in a report. Playground requests are listed under a user's id, and so under that person's name. */
export function useKeyName(keys: readonly Named[]): (key: Named) => string {
  const nameOf = usePersonName(keys.map(({ key_id, name }) => (name === null ? key_id : null)));
  return ({ key_id, name }) => name ?? nameOf(key_id) ?? key_id;
}
