import { useQueries, useQuery } from '@tanstack/react-query';
import { userQuery } from '../api/auth.ts';
import { firstMembersQuery, memberQuery } from '../api/members.ts';
import { oneUserQuery } from '../api/users.ts';

/** The rest are shown by their ids: a page does not send a request for each of hundreds of ids. */
const mostAsked = 20;

/**
 * The names of those people among `ids` who are the signed-in user, members or, for administrators, any users.
 * Undefined if unknown.
 */
export function usePersonName(
  orgId: string,
  ids: readonly (string | null)[],
): (userId: string | null) => string | undefined {
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
