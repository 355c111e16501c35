import { type Kysely, sql } from 'kysely';
import { locked, writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { changesAny, isOwnedBy } from '../database/sql.ts';
import type { KeyRecord, TokenChange } from './key.ts';
import { toRecord, toRow } from './key-rows.ts';

/** The keys of an organization, or with null those of the installation. */
export const isOf = (orgId: string | null) => isOwnedBy('api_keys', orgId);

/**
 * Increments the revision of an organization, or with null of the installation, and stores the new tokens, first in a
 * transaction that changes its keys. `successor` replaces the key that gets another expiry. False: it is no longer at
 * `revision`; nothing is changed.
 */
export async function moveRevision(
  transaction: Kysely<Database>,
  orgId: string | null,
  revision: number,
  tokens: readonly TokenChange[],
  successor?: KeyRecord,
): Promise<boolean> {
  const next = { revision: revision + 1 };
  const move =
    orgId === null
      ? transaction.updateTable('installation').set(next).where('revision', '=', revision)
      : transaction
          .updateTable('organizations')
          .set(next)
          .where((eb) => eb.and({ orgId, revision }));
  if (!(await changesAny(move))) return false;
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
      .where('keyId', '=', keyId)
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
export async function raiseRevision(transaction: Kysely<Database>, orgId: string | null): Promise<void> {
  const next = { revision: sql<number>`revision + 1` };
  if (orgId === null) await transaction.updateTable('installation').set(next).execute();
  else await transaction.updateTable('organizations').set(next).where('orgId', '=', orgId).execute();
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
