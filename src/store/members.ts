import type { Kysely } from 'kysely';
import type { MemberStore } from '../accounts/members.ts';
import type { Role } from '../accounts/roles.ts';
import type { Database } from './schema.ts';

export function memberStore(db: Kysely<Database>): MemberStore {
  return {
    async role(orgId, userId) {
      const row = await db
        .selectFrom('members')
        .select('role')
        .where('org_id', '=', orgId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.role as Role | undefined;
    },

    async find(orgId, userId) {
      const row = await selectMembers(db, orgId).where('members.user_id', '=', userId).executeTakeFirst();
      return row && toMember(row);
    },

    async list(orgId) {
      const rows = await selectMembers(db, orgId)
        .orderBy('members.created_at')
        .orderBy('members.user_id')
        .execute();
      return rows.map(toMember);
    },

    async of(userId) {
      const rows = await db
        .selectFrom('members')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('org_id')
        .execute();
      return rows.map(toMembership);
    },

    async add({ orgId, userId, role, createdAt }) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('members')
        .values({ org_id: orgId, user_id: userId, role, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows) > 0;
    },

    change(orgId, userId, role, mayInvite) {
      return db.transaction().execute(async (transaction) => {
        // Written as they are: so that of two who step down at once, the second sees what the first did.
        await transaction
          .updateTable('members')
          .set({ role: 'owner' })
          .where('org_id', '=', orgId)
          .where('role', '=', 'owner')
          .execute();
        const owners = await transaction
          .selectFrom('members')
          .innerJoin('users', 'users.id', 'members.user_id')
          .select(['user_id', 'is_disabled'])
          .where('org_id', '=', orgId)
          .where('role', '=', 'owner')
          .execute();
        const isOwner = owners.some(({ user_id }) => user_id === userId);
        // An owner who is disabled can't look after the organization.
        const isLeft = owners.some(({ user_id, is_disabled }) => user_id !== userId && is_disabled === 0);
        if (isOwner && !isLeft && role !== 'owner') return 'last owner';
        const where = { org_id: orgId, user_id: userId };
        const changed =
          role === null
            ? (await deleteMember(transaction, where)).numDeletedRows
            : (await setRole(transaction, where, role)).numUpdatedRows;
        if (changed === 0n) return 'not a member';
        await deleteInvitations(transaction, where, mayInvite);
        return 'done';
      });
    },
  };
}

type Where = { org_id: string; user_id: string };

function deleteMember(db: Kysely<Database>, { org_id, user_id }: Where) {
  return db
    .deleteFrom('members')
    .where('org_id', '=', org_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

function setRole(db: Kysely<Database>, { org_id, user_id }: Where, role: Role) {
  return db
    .updateTable('members')
    .set({ role })
    .where('org_id', '=', org_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/** The invitations that a user has sent to other roles than `kept`. */
export async function deleteInvitations(
  db: Kysely<Database>,
  { org_id, user_id }: Where,
  kept: readonly Role[],
): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('org_id', '=', org_id)
    .where('invited_by', '=', user_id)
    .$if(kept.length > 0, (query) => query.where('role', 'not in', kept))
    .execute();
}

function selectMembers(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.org_id', 'members.user_id', 'members.role', 'members.created_at', 'email', 'name'])
    .where('members.org_id', '=', orgId);
}

function toMember({ email, name, ...row }: Database['members'] & Pick<Database['users'], 'email' | 'name'>) {
  return { ...toMembership(row), email, name };
}

function toMembership(row: Database['members']) {
  return { orgId: row.org_id, userId: row.user_id, role: row.role as Role, createdAt: row.created_at };
}
