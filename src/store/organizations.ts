import type { Kysely, Selectable } from 'kysely';
import type { Organization, OrganizationStore } from '../accounts/organizations.ts';
import type { Limit } from '../quota/tiers.ts';
import type { WindowKind } from '../quota/window.ts';
import { againWhenRolledBack } from './again-when-rolled-back.ts';
import type { DatabaseTime } from './database-time.ts';
import { memberStore } from './members.ts';
import { unlessDeleted } from './missing-row.ts';
import { moveRevision } from './revision.ts';
import { isFull, rowsPerStep } from './rows-per-step.ts';
import type { Database } from './schema.ts';

export function organizationStore(db: Kysely<Database>, time: DatabaseTime): OrganizationStore {
  return {
    insert(organization, ownerId) {
      const { orgId, createdAt } = organization;
      const inserted = db.transaction().execute(async (transaction) => {
        await transaction.insertInto('organizations').values(toRow(organization)).execute();
        if (ownerId === undefined) return true;
        return memberStore(transaction).add({ orgId, userId: ownerId, role: 'owner', createdAt });
      });
      return unlessDeleted(inserted, false);
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

    deleteEnded: (orgId, nowMs) => deleteEnded(db, orgId, nowMs),

    delete: (orgId) => againWhenRolledBack(() => deleteOrganization(db, orgId, time)),

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

/** Locks the organization, and removes it with everything that refers to it. What it has used is deleted afterwards: see deletions.ts. */
function deleteOrganization(db: Kysely<Database>, orgId: string, time: DatabaseTime): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Taken first, so that no key is added meanwhile, and nothing is recorded.
    const { numUpdatedRows } = await transaction
      .updateTable('organizations')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await transaction
      .insertInto('deleted_organizations')
      .values({ org_id: orgId, deleted_at: time() })
      .execute();
    for (const table of ownedTables)
      await transaction.deleteFrom(table).where('org_id', '=', orgId).execute();
    return true;
  });
}

/**
 * Where an organization has rows, but for those of its usage; itself last, with what is written meanwhile and goes with it by itself. A flush has locked the window when it reads the
 * organization: the window goes late, since the flush carries other organizations as well, and waits for it.
 */
const ownedTables = [
  'api_keys',
  'invitations',
  'members',
  'deliveries',
  'notification_targets',
  'alerts',
  'quota_windows',
  'organizations',
] as const;

async function deleteEnded(db: Kysely<Database>, orgId: string, nowMs: number): Promise<boolean> {
  const keys = await db
    .deleteFrom('api_keys')
    .where('key_id', 'in', (eb) =>
      eb
        .selectFrom('api_keys')
        .select('key_id')
        .where('org_id', '=', orgId)
        .where((ended) => ended.or([ended('status', '=', 'revoked'), ended('expires_at', '<=', nowMs)]))
        .limit(rowsPerStep),
    )
    .executeTakeFirst();
  if (isFull(keys)) return true;
  const deliveries = await db
    .deleteFrom('deliveries')
    .where('delivery_id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('delivery_id')
        .where('org_id', '=', orgId)
        .where('status', '<>', 'pending')
        .limit(rowsPerStep),
    )
    .executeTakeFirst();
  return isFull(deliveries);
}

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
