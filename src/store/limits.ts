import type { Kysely } from 'kysely';
import type { LimitStore } from '../quota/limit.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';
import { unlessDeleted } from './transactions.ts';

export function limitStore(db: Kysely<Database>): LimitStore {
  return {
    async insert({ window, ...limit }) {
      const insertion = db
        .insertInto('limits')
        .values({ ...limit, windowKind: window, windowStart: 0, used: 0 })
        // The unique index has an expression, so it can't be named by columns.
        .onConflict((conflict) => conflict.doNothing());
      const isInserted = await unlessDeleted(changesAny(insertion), null);
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
      const update = db.updateTable('limits').set({ amount });
      return changesAny(update.where((eb) => eb.and({ orgId, limitId })));
    },

    delete: (orgId, limitId) => changesAny(db.deleteFrom('limits').where((eb) => eb.and({ orgId, limitId }))),
  };
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
