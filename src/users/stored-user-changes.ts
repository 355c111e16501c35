import type { Kysely } from 'kysely';
import { audited, writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { invalidField, invalidRequest, notFound } from '../errors.ts';
import { activeKeysOf, type KeysLeft, settleKeys } from '../keys/keys-of-user.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { givable } from '../organizations/access.ts';
import { deleteInvitations, insertMember, withoutOtherOwner } from '../organizations/stored-members.ts';
import { deletePending, endAccess, lockUser } from './stored-credentials.ts';

export interface UserChange {
  /** Undefined: unchanged. */
  readonly isAdmin?: boolean | undefined;
  /** Undefined: unchanged. */
  readonly isDisabled?: boolean | undefined;
  /** Whether to revoke the user's API keys in every organization. */
  readonly revokesKeys?: boolean;
}

/** What a user would leave behind. */
export interface Belongings {
  /** The organizations that have no other owner who can sign in, by name. */
  readonly organizations: readonly { readonly orgId: string; readonly name: string }[];
  /** The number of their active keys. */
  readonly keys: number;
}

/** Changes and deletes users for administrators. The installation always keeps an administrator who can sign in. */
export const userChangesIn = (db: Kysely<Database>, clock: Clock) => ({
  /**
   * Disabling ends the user's sessions and everything that is pending for them, and deletes the invitations that they
   * have sent; a demoted user's invitations to roles that they can't give any more are deleted. Throws `not_found`, and
   * `invalid_request` for the last administrator, or for `revokesKeys` without disabling.
   */
  async change(userId: string, { isAdmin, isDisabled, revokesKeys }: UserChange): Promise<void> {
    if (revokesKeys && isDisabled !== true)
      throw invalidField('revoke_keys', 'revoke_keys can only be used with "disabled": true');
    const nowMs = clock.now();
    await db.transaction().execute(async (transaction) => {
      if (isAdmin === false || isDisabled === true) await requireOtherAdministrator(transaction, userId);
      const before = await lockUser(transaction, userId, nowMs);
      if (!before) throw notFound('No such user');
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
      await settleKeys(transaction, { userId }, { revokesKeys }, nowMs);
      if (isDisabled) await deleteAllInvitations(transaction, userId);
      else if (isAdmin === false) await deleteInvitationsBeyondRole(transaction, userId);
    });
  },

  async belongings(userId: string): Promise<Belongings> {
    const keys = await activeKeysOf(db, { userId })
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return { organizations: await ownedAlone(db, userId), keys: Number(keys.count) };
  },

  /**
   * Deletes the user, their memberships, and the invitations that they have sent. A successor owns their organizations
   * that would have no other owner, and has their keys. Throws `not_found`, and `invalid_request` for the last
   * administrator, or without a successor for the last owner of an organization.
   */
  async delete(userId: string, { revokesKeys = false, successorId }: KeysLeft = {}): Promise<void> {
    const nowMs = clock.now();
    await db.transaction().execute(async (transaction) => {
      await requireOtherAdministrator(transaction, userId);
      if (!(await lockUser(transaction, userId, nowMs))) throw notFound('No such user');
      if (successorId !== undefined) await handOver(transaction, userId, successorId, nowMs);
      await requireOtherOwners(transaction, userId);
      await settleKeys(transaction, { userId }, { revokesKeys }, nowMs);
      const memberships = transaction.deleteFrom('members').where('userId', '=', userId);
      await audited(transaction, 'member.delete', memberships.returningAll());
      await deleteUser(transaction, userId);
    });
  },

  /** Deletes a user who belongs to no organization and is no administrator. False: they do, or are gone. */
  deleteUnattached(userId: string): Promise<boolean> {
    return db.transaction().execute(async (transaction) => {
      const user = await lockUser(transaction, userId, clock.now());
      const membership = transaction.selectFrom('members').select('orgId').where('userId', '=', userId);
      if (!user || user.isAdmin || (await membership.executeTakeFirst())) return false;
      await deleteUser(transaction, userId);
      return true;
    });
  },
});

async function deleteUser(transaction: Kysely<Database>, userId: string): Promise<void> {
  await deleteAllInvitations(transaction, userId);
  await deletePending(transaction, userId);
  // Sessions, credentials and the second factor are deleted by cascade.
  const deletion = transaction.deleteFrom('users').where('id', '=', userId);
  await audited(transaction, 'user.delete', deletion.returningAll());
}

async function requireOtherAdministrator(transaction: Kysely<Database>, userId: string): Promise<void> {
  // Writes the current value, to lock the rows: the second of two concurrent demotions then sees the first.
  await transaction.updateTable('users').set({ isAdmin: 1 }).where('isAdmin', '=', 1).execute();
  const active = await transaction
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and({ isAdmin: 1, isDisabled: 0 }))
    .execute();
  if (active.length === 1 && active[0]?.id === userId)
    throw invalidRequest(
      'This is the only administrator who can sign in: make another user an administrator first',
    );
}

const namesShown = 5;

/** Returns the organizations of a user that have no other owner who can sign in. */
async function ownedAlone(transaction: Kysely<Database>, userId: string) {
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
  return owned.filter(({ orgId }) => ownerless.has(orgId));
}

/** Throws `invalid_request` if an organization has no other owner who can sign in. */
async function requireOtherOwners(transaction: Kysely<Database>, userId: string): Promise<void> {
  const last = await ownedAlone(transaction, userId);
  if (last.length === 0) return;
  const names = last.slice(0, namesShown).map(({ name }) => `“${name}”`);
  const more = last.length > namesShown ? ` and ${last.length - namesShown} more` : '';
  throw invalidRequest(
    `This is the last owner of ${names.join(', ')}${more}: ` +
      'name a successor, make another member an owner first, or delete the organization',
  );
}

/** Makes another user the owner of the organizations that would have none, and the user of the keys. */
async function handOver(
  transaction: Kysely<Database>,
  userId: string,
  successorId: string,
  nowMs: number,
): Promise<void> {
  const successor = await lockUser(transaction, successorId, nowMs);
  if (!successor || successor.isDisabled || successorId === userId)
    throw invalidField('successor_id', 'successor_id must be another user who can sign in');
  for (const { orgId } of await ownedAlone(transaction, userId)) {
    const member = { orgId, userId: successorId, role: 'owner', createdAt: nowMs } as const;
    if (await insertMember(transaction, member)) continue;
    const update = transaction.updateTable('members').set({ role: 'owner', fromProvider: 0 });
    const changed = update.where((eb) => eb.and({ orgId, userId: successorId }));
    await audited(transaction, 'member.change', changed.returningAll());
  }
  await settleKeys(transaction, { userId }, { successorId }, nowMs);
}

async function deleteAllInvitations(transaction: Kysely<Database>, userId: string): Promise<void> {
  const deletion = transaction.deleteFrom('invitations').where('invitedBy', '=', userId);
  await audited(transaction, 'invitation.delete', deletion.returningAll());
}

/** Deletes the invitations to roles that the user could give as an administrator, but can't give as a member. */
async function deleteInvitationsBeyondRole(transaction: Kysely<Database>, userId: string): Promise<void> {
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
