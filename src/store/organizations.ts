import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Organization, OrganizationStore } from '../organizations/organizations.ts';
import { audited, auditedAny, locked, writeEntry } from './audit.ts';
import { deleteSome } from './housekeeping.ts';
import { folded, readPage } from './keyset.ts';
import { insertMember } from './members.ts';
import { moveRevision } from './revision.ts';
import { type Database, toLimitColumns, toOrganization } from './schema.ts';
import type { DatabaseTime } from './sql.ts';
import { changesAny } from './sql.ts';
import { retryDeletion, unlessDeleted } from './transactions.ts';

const name = folded('name');
const listed = { orders: { created: sql.ref('createdAt'), name }, id: sql.ref('orgId'), searched: [name] };

export function organizationStore(db: Kysely<Database>, time: DatabaseTime): OrganizationStore {
  return {
    insert(organization, ownerId) {
      const { orgId, createdAt } = organization;
      const inserted = db.transaction().execute(async (transaction) => {
        await insertOrganization(transaction, organization);
        if (ownerId === undefined) return true;
        return insertMember(transaction, { orgId, userId: ownerId, role: 'owner', createdAt });
      });
      return unlessDeleted(inserted, false);
    },

    insertFirst(organization) {
      return db.transaction().execute(async (transaction) => {
        const installation = transaction
          .insertInto('installation')
          .values({ id: 1, createdAt: organization.createdAt, pendingOrgId: null, authFingerprint: null })
          .onConflict((conflict) => conflict.doNothing());
        if (!(await changesAny(installation))) return false;
        const other = await transaction
          .selectFrom('organizations')
          .select('orgId')
          .limit(1)
          .executeTakeFirst();
        if (other) return false;
        await insertOrganization(transaction, organization);
        await transaction.updateTable('installation').set({ pendingOrgId: organization.orgId }).execute();
        return true;
      });
    },

    async findFirst() {
      const row = await db
        .selectFrom('organizations')
        .innerJoin('installation', 'installation.pendingOrgId', 'organizations.orgId')
        .selectAll('organizations')
        .executeTakeFirst();
      return row && toOrganization(row);
    },

    async finishFirst() {
      await db.updateTable('installation').set({ pendingOrgId: null }).execute();
    },

    async authFingerprint() {
      const row = await db.selectFrom('installation').select('authFingerprint').executeTakeFirst();
      return row?.authFingerprint ?? null;
    },

    async setAuthFingerprint(authFingerprint) {
      await db.updateTable('installation').set({ authFingerprint }).execute();
    },

    async find(orgId) {
      const row = await db
        .selectFrom('organizations')
        .selectAll()
        .where('orgId', '=', orgId)
        .executeTakeFirst();
      return row && toOrganization(row);
    },

    async tiersInUse() {
      const found: string[] = [];
      // Each step looks up the next one in the index, which a SELECT DISTINCT would read as a whole.
      for (let last: string | null = ''; last !== null; ) {
        const next = db.selectFrom('organizations').select((eb) => eb.fn.min('tier').as('tier'));
        const row: { tier: string | null } = await next.where('tier', '>', last).executeTakeFirstOrThrow();
        if (row.tier !== null) found.push(row.tier);
        last = row.tier;
      }
      return found;
    },

    list(page) {
      const rows = db.selectFrom('organizations').selectAll();
      return readPage(db, page, { rows, ...listed }, toOrganization);
    },

    rename: (orgId, name) =>
      db.transaction().execute((transaction) => changeOrganization(transaction, orgId, { name })),

    async cacheSecret(orgId) {
      const row = await db
        .selectFrom('organizations')
        .select('cacheSecret')
        .where('orgId', '=', orgId)
        .executeTakeFirst();
      return row?.cacheSecret;
    },

    replaceCacheSecret(orgId) {
      return auditedAny(db, 'organization.purge-vectors', (transaction) => {
        const update = transaction.updateTable('organizations').set({ cacheSecret: newCacheSecret() });
        return update.where('orgId', '=', orgId).returning('orgId');
      });
    },

    deleteEnded: (orgId, nowMs) => deleteEnded(db, orgId, nowMs),

    delete: (orgId) => retryDeletion(() => deleteOrganization(db, orgId, time)),

    setTier(orgId, revision, tier, custom, tokens) {
      return db.transaction().execute(async (transaction) => {
        if (!(await moveRevision(transaction, orgId, revision, tokens))) return false;
        return changeOrganization(transaction, orgId, { tier, ...toLimitColumns(custom) });
      });
    },
  };
}

/** Deletes the organization and everything that refers to it, except its usage: see deletions.ts. */
function deleteOrganization(db: Kysely<Database>, orgId: string, time: DatabaseTime): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Locks the organization, so that no key is added and no usage recorded meanwhile.
    const lock = transaction
      .updateTable('organizations')
      // Overwrites the secret, because a database can keep the bytes of a deleted row.
      .set((eb) => ({ revision: eb('revision', '+', 1), cacheSecret: newCacheSecret() }))
      .where('orgId', '=', orgId);
    const deleted = await audited(transaction, 'organization.delete', lock.returningAll());
    if (deleted.length === 0) return false;
    await transaction.insertInto('deleted_organizations').values({ orgId, deletedAt: time() }).execute();
    for (const table of ownedTables) await transaction.deleteFrom(table).where('orgId', '=', orgId).execute();
    return true;
  });
}

/**
 * The tables with rows of an organization, except its usage, in order of deletion. Rows written meanwhile are deleted
 * by cascade with the organization itself, which is last; an invitation written meanwhile makes that deletion fail, and
 * the transaction runs again. A change of `alert_settings` locks its row and then the organization, so these rows go
 * before that. `quota_windows` is late in the list because a flush that waits for its row delays the other
 * organizations in that flush.
 */
const ownedTables = [
  'api_keys',
  'invitations',
  'members',
  'deliveries',
  'notification_targets',
  'alerts',
  'alert_settings',
  'quota_windows',
  'organizations',
] as const;

async function deleteEnded(db: Kysely<Database>, orgId: string, nowMs: number): Promise<boolean> {
  const isEnded = sql`org_id = ${orgId} AND (status = 'revoked' OR expires_at <= ${nowMs})`;
  if (await deleteSome(db, 'api_keys', 'keyId', isEnded)) return true;
  const isFinished = sql`org_id = ${orgId} AND status <> 'pending'`;
  return deleteSome(db, 'deliveries', 'deliveryId', isFinished);
}

async function insertOrganization(transaction: Kysely<Database>, organization: Organization): Promise<void> {
  const insertion = transaction.insertInto('organizations').values(toRow(organization));
  await audited(transaction, 'organization.create', insertion.returningAll());
}

/** False: no such organization. */
async function changeOrganization(
  transaction: Kysely<Database>,
  orgId: string,
  changes: Partial<Database['organizations']>,
): Promise<boolean> {
  const before = await locked(transaction, 'organizations', 'orgId', orgId);
  if (!before) return false;
  await transaction.updateTable('organizations').set(changes).where('orgId', '=', orgId).execute();
  await writeEntry(transaction, 'organization.change', { before, after: { ...before, ...changes } });
  return true;
}

function toRow({ custom, ...organization }: Organization): Database['organizations'] {
  return { ...organization, ...toLimitColumns(custom), cacheSecret: newCacheSecret() };
}

const newCacheSecret = (): string => randomBytes(32).toString('hex');
