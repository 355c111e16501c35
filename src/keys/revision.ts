import type { Kysely } from 'kysely';
import { locked, writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import type { KeyRecord, TokenChange } from './key.ts';
import { toRecord, toRow } from './key-rows.ts';

/**
 * Increments the organization's revision and stores the new tokens, first in a transaction that changes its keys.
 * `successor` replaces the key that gets another expiry. False: the organization is no longer at `revision`; nothing is
 * changed.
 */
export async function moveRevision(
  transaction: Kysely<Database>,
  orgId: string,
  revision: number,
  tokens: readonly TokenChange[],
  successor?: KeyRecord,
): Promise<boolean> {
  const move = transaction.updateTable('organizations').set({ revision: revision + 1 });
  if (!(await changesAny(move.where((eb) => eb.and({ orgId, revision }))))) return false;
  for (const { keyId, ...changes } of tokens) {
    // A token that is only signed again is no change.
    const row = Object.keys(changes).length > 1 && (await locked(transaction, 'api_keys', 'keyId', keyId));
    if (row && row.status === 'active') {
      const before = toRecord(row);
      const after = { ...before, ...changes, ...(successor && { replacedBy: successor.keyId }) };
      await writeEntry(transaction, successor ? 'key.rotate' : 'key.change', { before, after });
    }
    await transaction
      .updateTable('api_keys')
      .set(toRow(changes))
      .where((eb) => eb.and({ keyId, orgId }))
      // A person with a database shell may have revoked the key without incrementing the revision.
      .where('status', '=', 'active')
      .execute();
  }
  return true;
}

/**
 * Locks the organization: no key is added before the transaction ends, and changes based on the old revision are
 * refused.
 */
export async function raiseRevision(transaction: Kysely<Database>, orgId: string): Promise<void> {
  await transaction
    .updateTable('organizations')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('orgId', '=', orgId)
    .execute();
}

/**
 * Returns the changes that revoking makes to a key's row. A trigger destroys the token too, for people with a
 * database shell, but it could have been dropped.
 */
export const revoked = (nowMs: number) => ({
  status: 'revoked' as const,
  revokedAt: nowMs,
  token: Buffer.alloc(0),
});
