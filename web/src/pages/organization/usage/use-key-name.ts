import type { UsageReport } from '../../../api/usage.ts';
import { usePersonName } from '../../../lib/use-person-name.ts';

export type KeyShare = UsageReport['keys'][number];

/** What a report's key is called. Requests of the playground stand under a user's id, and so under the name of that person. */
export function useKeyName(orgId: string): (key: KeyShare) => string {
  const nameOf = usePersonName(orgId);
  return ({ key_id, name }) => name ?? nameOf(key_id) ?? key_id;
}
