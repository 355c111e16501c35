import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../api/auth.ts';
import { membersQuery } from '../api/members.ts';
import { usersQuery } from '../api/users.ts';

/** The name of a member, of the signed-in user or, for administrators, of any user. Undefined if unknown. */
export function usePersonName(orgId: string): (userId: string | null) => string | undefined {
  const { data: user } = useQuery(userQuery);
  const { data: members = [] } = useQuery(membersQuery(orgId));
  const { data: users = [] } = useQuery({ ...usersQuery, enabled: user?.is_admin ?? false });
  return (userId) =>
    [...members, ...(user ? [user] : []), ...users].find(({ user_id }) => user_id === userId)?.name;
}
