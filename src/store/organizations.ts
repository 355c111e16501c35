import type { Kysely, Selectable } from 'kysely';
import type { Organization, OrganizationStore } from '../accounts/organizations.ts';
import type { Limit } from '../quota/tiers.ts';
import type { WindowKind } from '../quota/window.ts';
import { againWhenRolledBack } from './again-when-rolled-back.ts';
import { moveRevision } from './revision.ts';
import type { Database } from './schema.ts';

export function organizationStore(db: Kysely<Database>): OrganizationStore {
  return {
    async insert(organization) {
      await db.insertInto('organizations').values(toRow(organization)).execute();
    },

    insertFirst(organization) {
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('installation')
          .values({ id: 1, created_at: organization.createdAt, pending_org_id: null })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (!numInsertedOrUpdatedRows) return false;
        const other = await transaction
          .selectFrom('organizations')
          .select('org_id')
          .limit(1)
          .executeTakeFirst();
        if (other) return false;
        await transaction.insertInto('organizations').values(toRow(organization)).execute();
        await transaction.updateTable('installation').set({ pending_org_id: organization.orgId }).execute();
        return true;
      });
    },

    async findFirst() {
      const row = await db
        .selectFrom('organizations')
        .innerJoin('installation', 'installation.pending_org_id', 'organizations.org_id')
        .selectAll('organizations')
        .executeTakeFirst();
      return row && toOrganization(row);
    },

    async finishFirst() {
      await db.updateTable('installation').set({ pending_org_id: null }).execute();
    },

    async find(orgId) {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .where('org_id', '=', orgId)
        .executeTakeFirst();
      return row && toOrganization(row);
    },

    async list() {
      const rows = await db
        .selectFrom('organizations')
        .selectAll()
        .orderBy('created_at')
        .orderBy('org_id')
        .execute();
      return rows.map(toOrganization);
    },

    async rename(orgId, name) {
      const { numUpdatedRows } = await db
        .updateTable('organizations')
        .set({ name })
        .where('org_id', '=', orgId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    delete: (orgId) => againWhenRolledBack(() => deleteOrganization(db, orgId)),

    setTier(orgId, revision, tier, custom, tokens) {
      return db.transaction().execute(async (transaction) => {
        if (!(await moveRevision(transaction, orgId, revision, tokens))) return false;
        await transaction
          .updateTable('organizations')
          .set({ tier, ...limitColumns(custom) })
          .where('org_id', '=', orgId)
          .execute();
        return true;
      });
    },
  };
}

function deleteOrganization(db: Kysely<Database>, orgId: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Taken first, so that no key is added meanwhile; then in the order in which the ledger and the usage writer take rows.
    const { numUpdatedRows } = await transaction
      .updateTable('organizations')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const deleteFrom = async (table: OwnedTable): Promise<void> => {
      await transaction.deleteFrom(table).where('org_id', '=', orgId).execute();
    };
    for (const table of countedTables) await deleteFrom(table);
    await transaction
      .deleteFrom('key_activity')
      .where('key_id', 'in', (keys) =>
        keys.selectFrom('api_keys').select('key_id').where('org_id', '=', orgId),
      )
      .execute();
    for (const table of otherTables) await deleteFrom(table);
    return true;
  });
}

/** Where there are rows of an organization that do not go with it by themselves; itself last. */
const countedTables = ['quota_windows', 'usage_daily'] as const;
const otherTables = [
  'usage_rolled',
  'usage_monthly',
  'usage_by_day',
  'api_keys',
  'invitations',
  'members',
  'organizations',
] as const;
type OwnedTable = (typeof countedTables)[number] | (typeof otherTables)[number];

function toRow(organization: Organization): Selectable<Database['organizations']> {
  return {
    org_id: organization.orgId,
    name: organization.name,
    tier: organization.tier,
    ...limitColumns(organization.custom),
    created_at: organization.createdAt,
    revision: organization.revision,
  };
}

function limitColumns(custom: Limit | null): { limit_requests: number | null; limit_window: string | null } {
  return { limit_requests: custom?.requests ?? null, limit_window: custom?.window ?? null };
}

/** The custom limit that a row of `organizations` holds. */
export function customLimit(row: {
  limit_requests: number | null;
  limit_window: string | null;
}): Limit | null {
  if (row.limit_requests === null || row.limit_window === null) return null;
  return { requests: row.limit_requests, window: row.limit_window as WindowKind };
}

function toOrganization(row: Selectable<Database['organizations']>): Organization {
  return {
    orgId: row.org_id,
    name: row.name,
    tier: row.tier,
    custom: customLimit(row),
    createdAt: row.created_at,
    revision: row.revision,
  };
}
