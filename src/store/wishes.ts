import { type Kysely, type SqlBool, sql } from 'kysely';
import { foldCase } from '../lib/page.ts';
import type { AccessOf, WishStore } from '../organizations/wishes.ts';
import { folded, readPage } from './keyset.ts';
import { insertMember } from './members.ts';
import type { Database } from './schema.ts';
import { unlessDeleted } from './transactions.ts';

const upgrades = {
  orders: { created: sql.ref('upgrade_requests.createdAt') },
  id: sql.ref('upgrade_requests.upgradeId'),
};
const accesses = {
  orders: { created: sql.ref('access_requests.createdAt') },
  id: sql.ref('access_requests.accessId'),
};

export function wishStore(db: Kysely<Database>): WishStore {
  return {
    putUpgrade(request) {
      const { tier, createdAt } = request;
      const stored = db
        .insertInto('upgrade_requests')
        .values(request)
        .onConflict((conflict) =>
          conflict
            .columns(['orgId', 'userId'])
            .where('status', '=', sql.lit('open'))
            .doUpdateSet({ tier, createdAt }),
        )
        .returningAll()
        .executeTakeFirst();
      return unlessDeleted(stored, undefined);
    },

    findUpgrade: (orgId, upgradeId) =>
      selectUpgrades(db)
        .where('upgrade_requests.orgId', '=', orgId)
        .where('upgradeId', '=', upgradeId)
        .executeTakeFirst(),

    listUpgrades(orgId, page) {
      const all = selectUpgrades(db);
      const rows =
        orgId === null ? all.where('status', '=', 'open') : all.where('upgrade_requests.orgId', '=', orgId);
      return readPage(page, { rows, ...upgrades }, (row) => row);
    },

    async setStatus(upgradeId, from, decision) {
      const { numUpdatedRows } = await db
        .updateTable('upgrade_requests')
        .set(decision)
        .where('upgradeId', '=', upgradeId)
        .where('status', '=', from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async deleteUpgrade(orgId, upgradeId, userId) {
      const { numDeletedRows } = await db
        .deleteFrom('upgrade_requests')
        .where('orgId', '=', orgId)
        .where('upgradeId', '=', upgradeId)
        .where('userId', '=', userId)
        .where('status', '=', 'open')
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    putAccess(request) {
      const { organization, orgId, createdAt } = request;
      const stored = db
        .insertInto('access_requests')
        .values(request)
        .onConflict((conflict) => conflict.column('userId').doUpdateSet({ organization, orgId, createdAt }))
        .returningAll()
        .executeTakeFirst();
      return unlessDeleted(stored, undefined);
    },

    listAccess(of, page) {
      const rows = db
        .selectFrom('access_requests')
        .innerJoin('users', 'users.id', 'access_requests.userId')
        .select(['accessId', 'userId', 'organization', 'orgId', 'access_requests.createdAt'])
        .select(['users.name as userName', 'users.email'])
        .where(isOf(of));
      return readPage(page, { rows, ...accesses }, (row) => row);
    },

    acceptAccess(accessId, of, membership) {
      const accepted = db.transaction().execute(async (transaction) => {
        const request = await transaction
          .deleteFrom('access_requests')
          .where('accessId', '=', accessId)
          .where(isOf(of))
          .returning('userId')
          .executeTakeFirst();
        if (request) await insertMember(transaction, { ...membership, userId: request.userId });
        return request !== undefined;
      });
      return unlessDeleted(accepted, false);
    },

    async deleteAccess(accessId, of) {
      const { numDeletedRows } = await db
        .deleteFrom('access_requests')
        .where('accessId', '=', accessId)
        .where(isOf(of))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async organizationNamed(name) {
      const found = await db
        .selectFrom('organizations')
        .select('orgId')
        .where(folded('name'), '=', foldCase(name))
        .limit(2)
        .execute();
      return found.length === 1 ? found[0]!.orgId : null;
    },

    async addresses(orgId) {
      const rows = await db
        .selectFrom('users')
        .select('email')
        .where('isDisabled', '=', 0)
        .where((eb) =>
          eb.or([
            eb('isAdmin', '=', 1),
            eb(
              'id',
              'in',
              eb
                .selectFrom('members')
                .select('userId')
                .where('orgId', '=', orgId)
                .where('role', '=', 'owner'),
            ),
          ]),
        )
        .execute();
      return rows.map(({ email }) => email);
    },
  };
}

function selectUpgrades(db: Kysely<Database>) {
  return db
    .selectFrom('upgrade_requests')
    .innerJoin('users', 'users.id', 'upgrade_requests.userId')
    .innerJoin('organizations', 'organizations.orgId', 'upgrade_requests.orgId')
    .selectAll('upgrade_requests')
    .select(['users.name as userName', 'organizations.name as organizationName']);
}

function isOf(of: AccessOf) {
  if (of === 'all') return sql<SqlBool>`1 = 1`;
  return 'userId' in of
    ? sql<SqlBool>`access_requests.user_id = ${of.userId}`
    : sql<SqlBool>`access_requests.org_id = ${of.orgId}`;
}
