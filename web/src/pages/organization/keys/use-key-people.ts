import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../../api/auth.ts';
import type { Key } from '../../../api/keys.ts';
import { useOrganization } from '../../../lib/use-organization.ts';

/** Returns functions that report who created a key, and whether the signed-in user may change it. */
export function useKeyPeople() {
  const { may } = useOrganization();
  const { data: user } = useQuery(userQuery);
  return {
    /** The id if no user has it, since the command line accepts any id. */
    creatorOf: ({ user_id, user_name }: Key): string => user_name ?? user_id,
    mayChange: ({ user_id, status }: Key): boolean =>
      status === 'active' &&
      (may.includes('keys.change-any') || (may.includes('keys.change-own') && user?.user_id === user_id)),
  };
}
