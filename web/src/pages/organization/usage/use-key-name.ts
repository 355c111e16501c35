import type { UsageReport } from '../../../api/usage.ts';
import { usePersonName } from '../../../lib/use-person-name.ts';

export type KeyShare = UsageReport['keys'][number];
type Named = Pick<KeyShare, 'key_id' | 'name'>;

/** The name of a key in a report. Playground requests are listed under a user's id, and so under that person's name. */
export function useKeyName(orgId: string, keys: readonly Named[]): (key: Named) => string {
  const nameOf = usePersonName(
    orgId,
    keys.map(({ key_id, name }) => (name === null ? key_id : null)),
  );
  return ({ key_id, name }) => name ?? nameOf(key_id) ?? key_id;
}
