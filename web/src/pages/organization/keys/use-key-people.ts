import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../../api/auth.ts';
import type { Key } from '../../../api/keys.ts';
import { membersQuery } from '../../../api/members.ts';
import type { Organization } from '../../../api/organizations.ts';

/** Who created which key, and which keys the one who looks may change. */
export function useKeyPeople({ org_id: orgId, may }: Organization) {
  const { data: user } = useQuery(userQuery);
  const { data: members } = useQuery(membersQuery(orgId));
  return {
    /** A name where it is known: who has left is an id, and the command line may name anybody. */
    creatorOf: ({ user_id }: Key): string =>
      members?.find((member) => member.user_id === user_id)?.name ?? user_id,
    mayChange: ({ user_id, status }: Key): boolean =>
      status === 'active' &&
      (may.includes('keys.change-any') || (may.includes('keys.change-own') && user?.user_id === user_id)),
  };
}
