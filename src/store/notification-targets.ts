import { type Kysely, sql } from 'kysely';
import type { InsertedTarget, Target, TargetStore } from '../usage/notifiers/target.ts';
import { unlessDeleted } from './missing-row.ts';
import type { Database } from './schema.ts';

export function targetStore(db: Kysely<Database>): TargetStore {
  return {
    insert(target, max) {
      const inserted = db.transaction().execute(async (transaction): Promise<InsertedTarget> => {
        await transaction.insertInto('notification_targets').values(toRow(target)).execute();
        // Counted by who comes after: of several at once on Postgres, the bound may be passed by as many.
        const { count } = await transaction
          .selectFrom('notification_targets')
          .select(sql<number>`CAST(COUNT(*) AS INTEGER)`.as('count'))
          .where('org_id', '=', target.orgId)
          .executeTakeFirstOrThrow();
        if (count <= max) return 'done';
        await deleteTarget(transaction, target.orgId, target.targetId);
        return 'full';
      });
      return unlessDeleted<InsertedTarget, InsertedTarget>(inserted, 'no organization');
    },

    async list(orgId) {
      const rows = await db
        .selectFrom('notification_targets')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('created_at')
        .orderBy('target_id')
        .execute();
      return rows.map(toTarget);
    },

    delete: (orgId, targetId) => deleteTarget(db, orgId, targetId),
  };
}

async function deleteTarget(db: Kysely<Database>, orgId: string, targetId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_targets')
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type Row = Database['notification_targets'];

function toRow(target: Target): Row {
  return {
    target_id: target.targetId,
    org_id: target.orgId,
    kind: target.kind,
    address: target.address,
    sealed_secret: target.sealedSecret,
    created_by: target.createdBy,
    created_at: target.createdAt,
  };
}

export function toTarget(row: Row): Target {
  return {
    targetId: row.target_id,
    orgId: row.org_id,
    kind: row.kind as Target['kind'],
    address: row.address,
    sealedSecret: row.sealed_secret,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
