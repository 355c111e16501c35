import { type Kysely, sql } from 'kysely';
import { foldCase } from '../lib/page.ts';
import type { WishStore } from '../organizations/wishes.ts';
import { folded, readPage } from './keyset.ts';
import { insertMember } from './members.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';
import { unlessDeleted } from './transactions.ts';

const upgrades = {
  orders: { created: sql.ref('upgrade_requests.createdAt') },
  id: sql.ref('upgrade_requests.upgradeId'),
};
const accesses = {
  orders: { created: sql.ref('access_requests.createdAt') },
  id: sql.ref('access_requests.accessId'),
};

/** Returns the stored id of a request for the same, and otherwise the new one: people decide by the id what they have seen. */
const idFor = (asked: string, value: string, id: string, newId: string) =>
  sql<string>`CASE WHEN ${sql.ref(asked)} = ${value} THEN ${sql.ref(id)} ELSE ${newId} END`;

export function wishStore(db: Kysely<Database>): WishStore {
  return {
    async putUpgrade(request) {
      const { tier, createdAt } = request;
      const upgradeId = idFor('upgrade_requests.tier', tier, 'upgrade_requests.upgradeId', request.upgradeId);
      const stored = db
        .insertInto('upgrade_requests')
        .values(request)
        .onConflict((conflict) =>
          conflict
            .columns(['orgId', 'userId'])
            .where('status', '=', sql.lit('open'))
            .doUpdateSet({ upgradeId, tier, createdAt }),
        )
        .returning('upgradeId')
        .executeTakeFirst();
      return (await unlessDeleted(stored, undefined))?.upgradeId;
    },

    upgrades(orgId, page) {
      const rows = db
        .selectFrom('upgrade_requests')
        .innerJoin('users', 'users.id', 'upgrade_requests.userId')
        .innerJoin('organizations', 'organizations.orgId', 'upgrade_requests.orgId')
        .selectAll('upgrade_requests')
        .select(['users.name as userName', 'organizations.name as organization'])
        .where('upgrade_requests.orgId', '=', orgId);
      return readPage(page, { rows, ...upgrades }, (row) => row);
    },

    setStatus(upgradeId, status, decision) {
      const update = db.updateTable('upgrade_requests').set(decision);
      return changesAny(update.where((eb) => eb.and({ upgradeId, status })));
    },

    deleteUpgrade(orgId, upgradeId, userId) {
      const open = { orgId, upgradeId, userId, status: 'open' } as const;
      return changesAny(db.deleteFrom('upgrade_requests').where((eb) => eb.and(open)));
    },

    async putAccess(request) {
      const { organization, orgId, createdAt } = request;
      const accessId = idFor(
        'access_requests.organization',
        organization,
        'access_requests.accessId',
        request.accessId,
      );
      const stored = db
        .insertInto('access_requests')
        .values(request)
        .onConflict((conflict) =>
          conflict.column('userId').doUpdateSet({ accessId, organization, orgId, createdAt }),
        )
        .returning('accessId')
        .executeTakeFirst();
      return (await unlessDeleted(stored, undefined))?.accessId;
    },

    accesses(of, page) {
      const rows = db
        .selectFrom('access_requests')
        .innerJoin('users', 'users.id', 'access_requests.userId')
        .selectAll('access_requests')
        .select(['users.name as userName', 'users.email'])
        .where((eb) => eb.and(of));
      return readPage(page, { rows, ...accesses }, (row) => row);
    },

    acceptAccess(accessId, of, membership) {
      const accepted = db.transaction().execute(async (transaction) => {
        const request = await transaction
          .deleteFrom('access_requests')
          .where((eb) => eb.and({ accessId, ...of }))
          .returning('userId')
          .executeTakeFirst();
        if (request) await insertMember(transaction, { ...membership, ...request });
        return request !== undefined;
      });
      return unlessDeleted(accepted, false);
    },

    deleteAccess: (accessId, of) =>
      changesAny(db.deleteFrom('access_requests').where((eb) => eb.and({ accessId, ...of }))),

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
      const owners = db.selectFrom('members').select('userId').where('orgId', '=', orgId);
      const rows = await db
        .selectFrom('users')
        .select('email')
        .where('isDisabled', '=', 0)
        .where((eb) => eb.or([eb('isAdmin', '=', 1), eb('id', 'in', owners.where('role', '=', 'owner'))]))
        .execute();
      return rows.map(({ email }) => email);
    },
  };
}
