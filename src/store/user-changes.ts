import type { Kysely } from 'kysely';
import { isoTime } from '../lib/clock.ts';
import type { Role } from '../organizations/access.ts';
import type { UserChangeStore } from '../users/user-changes.ts';
import { audited, writeEntry } from './audit.ts';
import { deletePending, endAccess, lockUser } from './credentials.ts';
import { deleteInvitations, withoutOtherOwner } from './members.ts';
import { raiseRevision, revoked } from './revision.ts';
import type { Database } from './schema.ts';

export function userChangeStore(db: Kysely<Database>): UserChangeStore {
  return {
    change(userId, { isAdmin, isDisabled, revokesKeys, nowMs }, givable) {
      return db.transaction().execute(async (transaction) => {
        const weakens = isAdmin === false || isDisabled === true;
        if (weakens && (await isLastAdministrator(transaction, userId)))
          return { kind: 'last administrator' };
        const before = await lockUser(transaction, userId, nowMs);
        if (!before) return { kind: 'no user' };
        await transaction
          .updateTable('users')
          .set({
            ...(isAdmin !== undefined && { isAdmin: Number(isAdmin) }),
            ...(isDisabled !== undefined && { isDisabled: Number(isDisabled) }),
            updatedAt: isoTime(nowMs),
          })
          .where('id', '=', userId)
          .execute();
        const after = {
          userId,
          isAdmin: isAdmin ?? before.isAdmin,
          isDisabled: isDisabled ?? before.isDisabled,
        };
        await writeEntry(transaction, 'user.change', { before, after });
        if (isDisabled) await endAccess(transaction, userId);
        if (revokesKeys) await revokeKeys(transaction, userId, nowMs);
        if (isDisabled) await deleteAllInvitations(transaction, userId);
        else if (isAdmin === false) await deleteInvitationsBeyondRole(transaction, userId, givable);
        return null;
      });
    },

    delete(userId, { revokesKeys, nowMs }) {
      return db.transaction().execute(async (transaction) => {
        if (await isLastAdministrator(transaction, userId)) return { kind: 'last administrator' };
        if (!(await lockUser(transaction, userId, nowMs))) return { kind: 'no user' };
        const organizations = await lastOwnedBy(transaction, userId);
        if (organizations.length > 0) return { kind: 'last owner', organizations };
        if (revokesKeys) await revokeKeys(transaction, userId, nowMs);
        await deleteAllInvitations(transaction, userId);
        await deletePending(transaction, userId);
        const memberships = transaction.deleteFrom('members').where('userId', '=', userId);
        await audited(transaction, 'member.delete', memberships.returningAll());
        // Sessions, credentials and the second factor are deleted by cascade.
        const deletion = transaction.deleteFrom('users').where('id', '=', userId);
        await audited(transaction, 'user.delete', deletion.returningAll());
        return null;
      });
    },
  };
}

async function isLastAdministrator(transaction: Kysely<Database>, userId: string): Promise<boolean> {
  // Writes the current value, to lock the rows: the second of two concurrent demotions then sees the first.
  await transaction.updateTable('users').set({ isAdmin: 1 }).where('isAdmin', '=', 1).execute();
  const active = await transaction
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and({ isAdmin: 1, isDisabled: 0 }))
    .execute();
  return active.length === 1 && active[0]?.id === userId;
}

/** Returns the names of the organizations that have no other owner who can sign in. */
async function lastOwnedBy(transaction: Kysely<Database>, userId: string): Promise<string[]> {
  const owned = await transaction
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.orgId', 'members.orgId')
    .select(['members.orgId', 'name'])
    .where((eb) => eb.and({ userId, role: 'owner' }))
    .orderBy('name')
    .orderBy('members.orgId')
    .execute();
  const ids = owned.map(({ orgId }) => orgId);
  const ownerless = new Set(await withoutOtherOwner(transaction, userId, ids));
  return owned.filter(({ orgId }) => ownerless.has(orgId)).map(({ name }) => name);
}

/** Revokes the user's keys, which include those that they have created by rotating themselves. */
async function revokeKeys(transaction: Kysely<Database>, userId: string, nowMs: number): Promise<void> {
  const active = transaction
    .selectFrom('api_keys')
    .where('userId', '=', userId)
    .where('status', '=', 'active');
  const organizations = await active.select('orgId').distinct().orderBy('orgId').execute();
  // First, so that no key is replaced meanwhile.
  for (const { orgId } of organizations) await raiseRevision(transaction, orgId);
  const revocation = transaction
    .updateTable('api_keys')
    .set(revoked(nowMs))
    .where((eb) => eb.and({ userId, status: 'active' }));
  await audited(transaction, 'key.revoke', revocation.returning(['orgId', 'keyId', 'name', 'status']));
}

async function deleteAllInvitations(transaction: Kysely<Database>, userId: string): Promise<void> {
  const deletion = transaction.deleteFrom('invitations').where('invitedBy', '=', userId);
  await audited(transaction, 'invitation.delete', deletion.returningAll());
}

/** Deletes the invitations to roles that the user could give as an administrator, but can't give as a member. */
async function deleteInvitationsBeyondRole(
  transaction: Kysely<Database>,
  userId: string,
  givable: Readonly<Record<Role, readonly Role[]>>,
): Promise<void> {
  const invitedTo = await transaction
    .selectFrom('invitations')
    .leftJoin('members', (join) =>
      join.onRef('members.orgId', '=', 'invitations.orgId').on('members.userId', '=', userId),
    )
    .select(['invitations.orgId', 'members.role'])
    .distinct()
    .where('invitedBy', '=', userId)
    .execute();
  for (const { orgId, role } of invitedTo) {
    const kept = role === null ? [] : givable[role];
    await deleteInvitations(transaction, { orgId, userId }, kept);
  }
}
