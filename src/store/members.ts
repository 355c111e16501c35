import { type Kysely, sql } from 'kysely';
import type { Role } from '../organizations/access.ts';
import type { MemberStore, Membership } from '../organizations/members.ts';
import { audited, writeEntry } from './audit.ts';
import { folded, readPage } from './keyset.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';

const joined = sql.ref('members.createdAt');
const userName = folded('users.name');
const members = {
  orders: { created: joined, name: userName },
  id: sql.ref('members.userId'),
  searched: [userName, sql.ref('users.email')],
};
export function memberStore(db: Kysely<Database>): Omit<MemberStore, 'setMapped'> {
  return {
    role: (orgId, userId) => findRole(db, { orgId, userId }),

    async find(orgId, userId) {
      const row = await selectMembers(db, orgId).where('members.userId', '=', userId).executeTakeFirst();
      return row && toMember(row);
    },

    list: (orgId, page) => readPage(db, page, { rows: selectMembers(db, orgId), ...members }, toMember),

    add: (membership) => db.transaction().execute((transaction) => insertMember(transaction, membership)),

    change(orgId, userId, { from, to }, mayInvite) {
      return db.transaction().execute(async (transaction) => {
        const isAlone = (await withoutOtherOwner(transaction, userId, [orgId])).length > 0;
        const where = { orgId, userId, role: from };
        if (to !== 'owner' && isAlone && (await findRole(transaction, where)) === 'owner')
          return 'last owner';
        const isChanged = await changesAny(
          to === null
            ? transaction.deleteFrom('members').where((eb) => eb.and(where))
            : transaction
                .updateTable('members')
                .set({ role: to, ...(to !== from && { fromProvider: 0 }) })
                .where((eb) => eb.and(where)),
        );
        if (!isChanged) return (await findRole(transaction, where)) ? 'other role' : 'not a member';
        const change = { before: where, ...(to !== null && { after: { ...where, role: to } }) };
        await writeEntry(transaction, to === null ? 'member.delete' : 'member.change', change);
        await deleteInvitations(transaction, where, mayInvite);
        return 'done';
      });
    },
  };
}

/**
 * Returns the organizations that have no owner who can sign in, other than the user. Writes the owners' current role, to
 * lock the rows: the second of two concurrent changes then sees the first.
 */
export async function withoutOtherOwner(
  transaction: Kysely<Database>,
  userId: string,
  orgIds: readonly string[],
): Promise<string[]> {
  if (orgIds.length === 0) return [];
  await transaction
    .updateTable('members')
    .set({ role: 'owner' })
    .where('orgId', 'in', orgIds)
    .where('role', '=', 'owner')
    .execute();
  const others = await transaction
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select('orgId')
    .where('orgId', 'in', orgIds)
    .where((eb) => eb.and({ role: 'owner', isDisabled: 0 }))
    .where('userId', '<>', userId)
    .execute();
  return orgIds.filter((id) => !others.some(({ orgId }) => orgId === id));
}

/** Adds a member, in a transaction. False: the user already is a member and keeps the role. */
export async function insertMember(
  db: Kysely<Database>,
  { orgId, userId, role, createdAt, fromProvider = 0 }: Membership & { fromProvider?: number },
): Promise<boolean> {
  const insertion = db.insertInto('members').values({ orgId, userId, role, createdAt, fromProvider });
  const added = insertion.onConflict((conflict) => conflict.doNothing()).returningAll();
  return (await audited(db, 'member.create', added)).length > 0;
}

type Where = { orgId: string; userId: string };

async function findRole(db: Kysely<Database>, { orgId, userId }: Where): Promise<Role | undefined> {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where((eb) => eb.and({ orgId, userId }))
    .executeTakeFirst();
  return row?.role;
}

/** Deletes the invitations that the user has sent to roles other than `kept`. */
export async function deleteInvitations(
  db: Kysely<Database>,
  { orgId, userId }: Where,
  kept: readonly Role[],
): Promise<void> {
  const deletion = db
    .deleteFrom('invitations')
    .where((eb) => eb.and({ orgId, invitedBy: userId }))
    .$if(kept.length > 0, (query) => query.where('role', 'not in', kept));
  await audited(db, 'invitation.delete', deletion.returningAll());
}

function selectMembers(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select([
      'members.orgId',
      'members.userId',
      'members.role',
      'members.createdAt',
      'email',
      'name',
      'fromProvider',
    ])
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .select((of) => of.fn.max('updatedAt').as('at'))
        .whereRef('sessions.userId', '=', 'members.userId')
        .as('lastSeen'),
    )
    .where('members.orgId', '=', orgId);
}

function toMember<Row extends { lastSeen: string | null; fromProvider: number }>(given: Row) {
  const { lastSeen, fromProvider, ...row } = given;
  return {
    ...row,
    lastSeenAt: lastSeen === null ? null : Date.parse(lastSeen),
    fromProvider: fromProvider === 1,
  };
}
