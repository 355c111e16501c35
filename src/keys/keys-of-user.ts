import type { Kysely } from 'kysely';
import { audited } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { raiseRevision, revoked } from './revision.ts';

/** Whose keys: those of a user in one organization, or without it in all. */
type KeysOf = { readonly userId: string; readonly orgId?: string };

/** What happens to the keys of a user who leaves. Neither: they stay as they are. */
export interface KeysLeft {
  readonly revokesKeys?: boolean | undefined;
  /** The user who has the keys afterwards. */
  readonly successorId?: string | undefined;
}

export const activeKeysOf = (db: Kysely<Database>, of: KeysOf) =>
  db.selectFrom('api_keys').where((eb) => eb.and({ ...of, status: 'active' }));

/** Gives the user's keys to the successor or revokes them, also those that keys have created by rotating themselves. */
export async function settleKeys(
  transaction: Kysely<Database>,
  of: KeysOf,
  { revokesKeys, successorId }: KeysLeft,
  nowMs: number,
): Promise<void> {
  const isGiven = successorId !== undefined;
  if (!isGiven && !revokesKeys) return;
  const owners = await activeKeysOf(transaction, of).select('orgId').distinct().orderBy('orgId').execute();
  // First, so that no key is replaced meanwhile.
  for (const { orgId } of owners) await raiseRevision(transaction, orgId);
  const keys = transaction.updateTable('api_keys').set(isGiven ? { userId: successorId } : revoked(nowMs));
  const changed = keys.where((eb) => eb.and({ ...of, status: 'active' }));
  const returned = ['orgId', 'keyId', 'name', isGiven ? 'userId' : 'status'] as const;
  await audited(transaction, isGiven ? 'key.change' : 'key.revoke', changed.returning(returned));
}
