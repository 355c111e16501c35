import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { audited, auditedAny, locked, writeEntry } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import { folded, readPage } from '../database/keyset.ts';
import { type Database, toLimitColumns, toOrganization } from '../database/schema.ts';
import type { DatabaseTime } from '../database/sql.ts';
import { changesAny } from '../database/sql.ts';
import { retryDeletion, unlessDeleted } from '../database/transactions.ts';
import { invalidField, notFound, notSignedIn } from '../errors.ts';
import type { TokenChange } from '../keys/key.ts';
import { validName } from '../keys/key.ts';
import { moveRevision } from '../keys/revision.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { applyTier } from '../quota/tier-limits.ts';
import { type QuotaLimit, standardTiers, type Tiers } from '../quota/tiers.ts';
import { type Organization, type OrganizationChange, organizationList } from './organization.ts';
import { insertMember } from './stored-members.ts';

type Notes = Pick<Database['installation'], 'authFingerprint' | 'modelFingerprints'>;

const name = folded('name');
const listed = { orders: { created: sql.ref('createdAt'), name }, id: sql.ref('orgId'), searched: [name] };

/** The organizations. organizations/organizations.ts has what needs their tiers and the keys' signatures. */
export const organizationsIn = (
  db: Kysely<Database>,
  clock: Clock,
  time: DatabaseTime,
  tiers = standardTiers,
) => ({
  /**
   * Adds an organization, with its first owner if there is one. Throws `not_signed_in` when the owner was deleted, and
   * `invalid_request` if another one has its external id.
   */
  async insert(organization: Organization, ownerId?: string): Promise<void> {
    const { orgId, createdAt } = organization;
    const inserted = db.transaction().execute(async (transaction) => {
      await insertOrganization(transaction, organization, tiers);
      if (ownerId !== undefined)
        await insertMember(transaction, { orgId, userId: ownerId, role: 'owner', createdAt });
    });
    await unlessDeleted(inserted, () => notSignedIn());
  },

  /**
   * Adds the very first organization of an installation and marks its first start as pending. False: there was one
   * before.
   */
  insertFirst: (organization: Organization): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const { createdAt } = organization;
      const beginning = transaction.updateTable('installation').set({ createdAt });
      if (!(await changesAny(beginning.where('createdAt', 'is', null)))) return false;
      const other = await transaction.selectFrom('organizations').select('orgId').limit(1).executeTakeFirst();
      if (other) return false;
      await insertOrganization(transaction, organization, tiers);
      await transaction.updateTable('installation').set({ pendingOrgId: organization.orgId }).execute();
      return true;
    }),

  /** Returns the organization of a first start that was interrupted. */
  async findFirst(): Promise<Organization | undefined> {
    const row = await db
      .selectFrom('organizations')
      .innerJoin('installation', 'installation.pendingOrgId', 'organizations.orgId')
      .selectAll('organizations')
      .executeTakeFirst();
    return row && toOrganization(row);
  },

  /** Marks the first start as done, so that no later start completes it. */
  async finishFirst(): Promise<void> {
    await db.updateTable('installation').set({ pendingOrgId: null }).execute();
  },

  /** Returns what the data was last used with. Null: nothing is known. */
  notes: (): Promise<Notes> =>
    db.selectFrom('installation').select(['authFingerprint', 'modelFingerprints']).executeTakeFirstOrThrow(),

  async note(notes: Partial<Notes>): Promise<void> {
    await db.updateTable('installation').set(notes).execute();
  },

  /** Throws `not_found`. */
  async get(orgId: string): Promise<Organization> {
    const row = await find(db, orgId);
    if (!row) throw noOrganization(orgId);
    return toOrganization(row);
  },

  async exists(orgId: string): Promise<boolean> {
    return (await find(db, orgId)) !== undefined;
  },

  /** Returns the names of the tiers that organizations have. */
  async tiersInUse(): Promise<string[]> {
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

  /** Returns a page of all organizations. Throws `invalid_request`. */
  async list(query: PageQuery): Promise<Page<Organization>> {
    const rows = db.selectFrom('organizations').selectAll();
    return readPage(db, organizationList.request(query), { rows, ...listed }, toOrganization);
  },

  /** Returns the organization with an external id. */
  async named(externalId: string): Promise<Organization | undefined> {
    const row = await db
      .selectFrom('organizations')
      .selectAll()
      .where('externalId', '=', externalId)
      .executeTakeFirst();
    return row && toOrganization(row);
  },

  /** Throws `invalid_request` and `not_found`. */
  async change(orgId: string, { name, externalId, suspended }: OrganizationChange): Promise<void> {
    const changes = {
      ...(name !== undefined && { name: validName(name) }),
      ...(externalId !== undefined && {
        externalId: externalId === null ? null : validName(externalId, 'external_id'),
      }),
      ...(suspended !== undefined && {
        suspended: suspended === null ? null : validName(suspended, 'suspended'),
      }),
    };
    const changed = db
      .transaction()
      .execute((transaction) => changeOrganization(transaction, orgId, changes));
    await changed.catch(async (reason) => {
      if (changes.externalId != null && (await isTaken(db, orgId, changes.externalId)))
        throw takenId(changes.externalId);
      throw reason;
    });
  },

  /** Returns the secret that the organization's cache keys are derived from. Throws `not_found`. */
  async cacheSecret(orgId: string): Promise<string> {
    const row = await find(db, orgId);
    if (!row) throw noOrganization(orgId);
    return row.cacheSecret;
  },

  /**
   * Makes the organization's cached vectors unreadable, in memory and on disk, because only the old secret finds and
   * decrypts them. They are deleted when the cache needs their room. Throws `not_found`.
   */
  async purgeVectors(orgId: string): Promise<void> {
    const isThere = await auditedAny(db, 'organization.purge-vectors', (transaction) => {
      const update = transaction.updateTable('organizations').set({ cacheSecret: newCacheSecret() });
      return update.where('orgId', '=', orgId).returning('orgId');
    });
    if (!isThere) throw noOrganization(orgId);
  },

  /** Deletes some of the organization's ended keys and finished deliveries. Returns whether there may be more. */
  async deleteEnded(orgId: string): Promise<boolean> {
    const isEnded = sql`org_id = ${orgId} AND (status = 'revoked' OR expires_at <= ${clock.now()})`;
    if (await deleteSome(db, 'api_keys', 'keyId', isEnded)) return true;
    const isFinished = sql`org_id = ${orgId} AND status <> 'pending'`;
    return deleteSome(db, 'deliveries', 'deliveryId', isFinished);
  },

  /** Deletes the organization and everything that refers to it, except its usage: see deletions.ts. Throws `not_found`. */
  delete: (orgId: string): Promise<void> => retryDeletion(() => deleteOrganization(db, orgId, time)),

  /**
   * Applies the change in one transaction if the organization is still at `revision`; otherwise returns false and
   * changes nothing.
   */
  setTier: (
    { orgId, revision }: Pick<Organization, 'orgId' | 'revision'>,
    tier: string,
    custom: QuotaLimit | null,
    tokens: readonly TokenChange[],
  ): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      if (!(await moveRevision(transaction, orgId, revision, tokens))) return false;
      await changeOrganization(transaction, orgId, { tier, ...toLimitColumns(custom) });
      await applyTier(transaction, tiers.find(tier), [orgId], clock.now());
      return true;
    }),
});

const noOrganization = (orgId: string) => notFound(`No organization ${orgId}`);

const find = (db: Kysely<Database>, orgId: string) =>
  db.selectFrom('organizations').selectAll().where('orgId', '=', orgId).executeTakeFirst();

function deleteOrganization(db: Kysely<Database>, orgId: string, time: DatabaseTime): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    // Locks the organization, so that no key is added and no usage recorded meanwhile.
    const lock = transaction
      .updateTable('organizations')
      // Overwrites the secret, because a database can keep the bytes of a deleted row.
      .set((eb) => ({ revision: eb('revision', '+', 1), cacheSecret: newCacheSecret() }))
      .where('orgId', '=', orgId);
    const deleted = await audited(transaction, 'organization.delete', lock.returningAll());
    if (deleted.length === 0) throw noOrganization(orgId);
    await transaction.insertInto('deleted_organizations').values({ orgId, deletedAt: time() }).execute();
    for (const table of ownedTables) await transaction.deleteFrom(table).where('orgId', '=', orgId).execute();
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

async function insertOrganization(
  transaction: Kysely<Database>,
  organization: Organization,
  tiers: Tiers,
): Promise<void> {
  const insertion = transaction
    .insertInto('organizations')
    .values(toRow(organization))
    .onConflict((conflict) => conflict.column('externalId').doNothing());
  const inserted = await audited(transaction, 'organization.create', insertion.returningAll());
  if (inserted.length === 0) throw takenId(organization.externalId);
  const { orgId, tier, createdAt } = organization;
  await applyTier(transaction, tiers.find(tier), [orgId], createdAt);
}

async function isTaken(db: Kysely<Database>, orgId: string, externalId: string): Promise<boolean> {
  const other = db.selectFrom('organizations').select('orgId').where('externalId', '=', externalId);
  return (await other.where('orgId', '<>', orgId).executeTakeFirst()) !== undefined;
}

const takenId = (externalId: string | null) =>
  invalidField('external_id', `There is an organization with the external_id "${externalId}"`);

/** Throws `not_found`. */
async function changeOrganization(
  transaction: Kysely<Database>,
  orgId: string,
  changes: Partial<Database['organizations']>,
): Promise<void> {
  const before = await locked(transaction, 'organizations', 'orgId', orgId);
  if (!before) throw noOrganization(orgId);
  await transaction
    .updateTable('organizations')
    .set({ name: before.name, ...changes })
    .where('orgId', '=', orgId)
    .execute();
  await writeEntry(transaction, 'organization.change', { before, after: { ...before, ...changes } });
}

function toRow({ custom, ...organization }: Organization): Database['organizations'] {
  return { ...organization, ...toLimitColumns(custom), cacheSecret: newCacheSecret(), tierLimits: '' };
}

const newCacheSecret = (): string => randomBytes(32).toString('hex');
