import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../../api/auth.ts';
import type { Key } from '../../../api/keys.ts';
import { useOrganization } from '../../../lib/use-organization.ts';

/** Returns a function that reports whether the signed-in user may change a key. */
export function useKeyRights(): (key: Key) => boolean {
  const { may } = useOrganization();
  const { data: user } = useQuery(userQuery);
  return ({ user_id, status }) =>
    status === 'active' &&
    (may.includes('keys.change-any') || (may.includes('keys.change-own') && user?.user_id === user_id));
}
