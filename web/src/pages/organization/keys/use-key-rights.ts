import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../../api/auth.ts';
import type { Key } from '../../../api/keys.ts';
import { useKeyOwner } from '../../../lib/use-organization.ts';

/** Returns functions that report what the signed-in user may do with a key. */
export function useKeyRights(): Record<'mayChange' | 'mayRevoke', (key: Key) => boolean> {
  const { may } = useKeyOwner();
  const { data: user } = useQuery(userQuery);
  const mayRevoke = ({ user_id, status }: Key) =>
    status === 'active' &&
    (may.includes('keys.change-any') || (may.includes('keys.change-own') && user?.user_id === user_id));
  const mayChange = (key: Key) =>
    mayRevoke(key) && (may.includes('keys.let-manage') || !key.scopes.includes('manage:keys'));
  return { mayChange, mayRevoke };
}
