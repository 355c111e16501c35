import type { Kysely } from 'kysely';
import { audited } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { raiseRevision, revoked } from './revision.ts';

/** Whose keys: those of a user in one organization, or without it in all. */
export interface KeysOf {
  readonly userId: string;
  readonly orgId?: string;
}

/** What happens to the keys of a user who leaves. Neither: they stay as they are. */
export interface KeysLeft {
  readonly revokesKeys?: boolean | undefined;
  /** The user who has the keys afterwards. */
  readonly successorId?: string | undefined;
}

export const activeKeysOf = (db: Kysely<Database>, of: KeysOf) =>
  db.selectFrom('api_keys').where((eb) => eb.and({ ...of, status: 'active' }));

/** Revokes the user's keys, which include those that they have created by rotating themselves. */
export async function revokeKeysOf(transaction: Kysely<Database>, of: KeysOf, nowMs: number): Promise<void> {
  await raiseRevisions(transaction, of);
  const keys = transaction.updateTable('api_keys').set(revoked(nowMs));
  const revocation = keys.where((eb) => eb.and({ ...of, status: 'active' }));
  await audited(transaction, 'key.revoke', revocation.returning(['orgId', 'keyId', 'name', 'status']));
}

/** Makes the successor the user of the keys. */
export async function giveKeysOf(
  transaction: Kysely<Database>,
  of: KeysOf,
  successorId: string,
): Promise<void> {
  await raiseRevisions(transaction, of);
  const keys = transaction.updateTable('api_keys').set({ userId: successorId });
  const given = keys.where((eb) => eb.and({ ...of, status: 'active' }));
  await audited(transaction, 'key.change', given.returning(['orgId', 'keyId', 'name', 'userId']));
}

/** First, so that no key is replaced meanwhile. */
async function raiseRevisions(transaction: Kysely<Database>, of: KeysOf): Promise<void> {
  const owners = await activeKeysOf(transaction, of).select('orgId').distinct().orderBy('orgId').execute();
  for (const { orgId } of owners) await raiseRevision(transaction, orgId);
}
