import type { Kysely } from 'kysely';
import { newId } from '../lib/ids.ts';
import type { LimitStore } from '../quota/limit.ts';
import { audited, auditedAny, locked, writeEntry } from './audit.ts';
import type { Database } from './schema.ts';
import { unlessDeleted } from './transactions.ts';

/** The id of the scope of a limit's row, as `scopeIdOf` returns it. An index has the same expression. */
export const scopeId = `COALESCE(key_id, user_id, NULLIF(applies_to, 'requests'), '')`;

/** The columns of a limit as the ledger reads them. */
export const limitColumns = `limit_id AS "limitId", key_id AS "keyId", user_id AS "userId",
  applies_to AS "appliesTo", unit, window_kind AS window, amount, max_wait_ms AS "maxWaitMs",
  window_start AS "startMs", used`;

export function limitStore(db: Kysely<Database>): LimitStore {
  return {
    async insert({ window, appliesTo = 'requests', ...limit }) {
      const insertion = auditedAny(db, 'limit.create', (transaction) =>
        transaction
          .insertInto('limits')
          .values({ ...limit, appliesTo, windowKind: window, windowStart: 0, used: 0 })
          // The unique index has an expression, so it can't be named by columns.
          .onConflict((conflict) => conflict.doNothing())
          .returningAll(),
      );
      const isInserted = await unlessDeleted(insertion, null);
      if (isInserted === null) return 'no organization';
      return isInserted ? 'inserted' : 'exists';
    },

    find(orgId, limitId) {
      return db
        .selectFrom('limits')
        .select([
          'limitId',
          'orgId',
          'keyId',
          'userId',
          'appliesTo',
          'unit',
          'windowKind as window',
          'amount',
          'maxWaitMs',
          'createdAt',
        ])
        .where((eb) => eb.and({ orgId, limitId }))
        .executeTakeFirst();
    },

    setAmount(orgId, limitId, amount) {
      return db.transaction().execute(async (transaction) => {
        const before = await locked(transaction, 'limits', 'limitId', limitId);
        if (before?.orgId !== orgId) return false;
        await transaction.updateTable('limits').set({ amount }).where('limitId', '=', limitId).execute();
        await writeEntry(transaction, 'limit.change', { before, after: { ...before, amount } });
        return true;
      });
    },

    delete: (orgId, limitId) =>
      auditedAny(db, 'limit.delete', (transaction) =>
        transaction
          .deleteFrom('limits')
          .where((eb) => eb.and({ orgId, limitId }))
          .returningAll(),
      ),
  };
}

/** Gives a new key the limits that its organization has for new keys. */
export async function addLimitsOfNewKey(
  db: Kysely<Database>,
  { orgId, keyId, createdAt }: { orgId: string; keyId: string; createdAt: number },
): Promise<void> {
  const rows = await db
    .selectFrom('limits')
    .selectAll()
    .where((eb) => eb.and({ orgId, appliesTo: 'new_keys' }))
    .execute();
  const own = { keyId, createdAt, appliesTo: 'requests' } as const;
  const added = rows.map((row) => ({ ...row, ...own, limitId: newId() }));
  if (added.length > 0)
    await audited(db, 'limit.create', db.insertInto('limits').values(added).returningAll());
}

/** Deletes the limits of chains of keys of which `pruneEnded` has deleted the last key. */
export async function deleteLimitsWithoutKeys(db: Kysely<Database>, orgId: string): Promise<void> {
  await db
    .deleteFrom('limits')
    .where('orgId', '=', orgId)
    .where('keyId', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('api_keys')
            .select('api_keys.keyId')
            .where((eb) =>
              eb.or([
                eb('api_keys.keyId', '=', eb.ref('limits.keyId')),
                eb('api_keys.firstKeyId', '=', eb.ref('limits.keyId')),
              ]),
            ),
        ),
      ),
    )
    .execute();
}
