import type { Kysely } from 'kysely';
import type { TokenChange } from '../keys/keys.ts';
import type { Database } from './schema.ts';

/**
 * The guard of every optimistic change to an organization's keys: moves it on from `revision` and puts the new tokens in
 * place. False: somebody else was first, and nothing is changed. To be called first in a transaction.
 */
export async function moveRevision(
  transaction: Kysely<Database>,
  orgId: string,
  revision: number,
  tokens: readonly TokenChange[],
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('organizations')
    .set({ revision: revision + 1 })
    .where('orgId', '=', orgId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const { keyId, token, expiresAt, lifetimeMs } of tokens) {
    await transaction
      .updateTable('api_keys')
      .set({ token, expiresAt, ...(lifetimeMs !== undefined && { lifetimeMs }) })
      .where('keyId', '=', keyId)
      .where('orgId', '=', orgId)
      // A replica of an older release revokes without moving the revision: its key must not get a token again.
      .where('status', '=', 'active')
      .execute();
  }
  return true;
}

/** Locks the organization: no key is added to it before the transaction ends, and no change that was planned before is made. */
export async function raiseRevision(transaction: Kysely<Database>, orgId: string): Promise<void> {
  await transaction
    .updateTable('organizations')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('orgId', '=', orgId)
    .execute();
}
