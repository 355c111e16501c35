import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../../api/members.ts';
import type { UsageReport } from '../../../api/usage.ts';

export type KeyShare = UsageReport['keys'][number];

/** What a report's key is called. Requests of the playground stand under a user's id, and so under the name of that person. */
export function useKeyName(orgId: string): (key: KeyShare) => string {
  const { data: members } = useQuery(membersQuery(orgId));
  return ({ key_id, name }) => name ?? members?.find(({ user_id }) => user_id === key_id)?.name ?? key_id;
}
