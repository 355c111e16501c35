import { type Kysely, sql } from 'kysely';
import type { InsertedTarget, TargetStore } from '../usage/notifiers/target.ts';
import type { Database } from './schema.ts';
import { unlessDeleted } from './transactions.ts';

export function targetStore(db: Kysely<Database>): TargetStore {
  return {
    insert(target, max) {
      const inserted = db.transaction().execute(async (transaction): Promise<InsertedTarget> => {
        await transaction.insertInto('notification_targets').values(target).execute();
        // On Postgres, concurrent inserts don't count each other, and can exceed the maximum by their number.
        const { count } = await transaction
          .selectFrom('notification_targets')
          .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
          .where('orgId', '=', target.orgId)
          .executeTakeFirstOrThrow();
        if (count <= max) return 'done';
        await deleteTarget(transaction, target.orgId, target.targetId);
        return 'full';
      });
      return unlessDeleted<InsertedTarget, InsertedTarget>(inserted, 'no organization');
    },

    list(orgId) {
      return db
        .selectFrom('notification_targets')
        .selectAll()
        .where('orgId', '=', orgId)
        .orderBy('createdAt')
        .orderBy('targetId')
        .execute();
    },

    delete: (orgId, targetId) => deleteTarget(db, orgId, targetId),
  };
}

async function deleteTarget(db: Kysely<Database>, orgId: string, targetId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_targets')
    .where('orgId', '=', orgId)
    .where('targetId', '=', targetId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
