import { type Kysely, sql } from 'kysely';
import type { Role } from '../organizations/access.ts';
import type { Invitation, InvitationStore } from '../users/invitations.ts';
import { auditedAny, writeEntry } from './audit.ts';
import { deleteSome } from './housekeeping.ts';
import { readPage } from './keyset.ts';
import { insertMember } from './members.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';
import { unlessDeleted } from './transactions.ts';
import { insertUser } from './users.ts';

const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('invitationId') };

export function invitationStore(db: Kysely<Database>): InvitationStore {
  return {
    async put(invitation) {
      const row = { ...invitation, mailed: Number(invitation.mailed) };
      const { orgId: _org, email: _email, ...changed } = row;
      const written = auditedAny(db, 'invitation.create', (transaction) =>
        transaction
          .insertInto('invitations')
          .values(row)
          .onConflict((conflict) => conflict.columns(['orgId', 'email']).doUpdateSet(changed))
          .returningAll(),
      );
      return (await unlessDeleted(written, null)) !== null;
    },

    pruneExpired: (expiredBeforeMs) =>
      deleteSome(db, 'invitations', 'invitationId', sql`expires_at < ${expiredBeforeMs}`),

    list(orgId, page) {
      const rows = db.selectFrom('invitations').selectAll().where('orgId', '=', orgId);
      return readPage(db, page, { rows, ...order }, toInvitation);
    },

    async findByDigest(digest) {
      const row = await db
        .selectFrom('invitations')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row && toInvitation(row);
    },

    async isExpected(email, nowMs) {
      const row = await db
        .selectFrom('invitations')
        .select('invitationId')
        .where('email', '=', email)
        .where('expiresAt', '>', nowMs)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async accept(invitation, guest, givenBy, nowMs) {
      const { orgId, invitationId, role } = invitation;
      const accepted = db.transaction().execute(async (transaction) => {
        if (!(await changesAny(deleteOne(transaction, orgId, invitationId)))) return 'gone';
        if (!(await mayInvite(transaction, invitation, givenBy))) {
          await writeEntry(transaction, 'invitation.delete', { before: invitation });
          return 'gone';
        }
        if ('newUser' in guest && !(await insertUser(transaction, guest.newUser))) throw new AddressTaken();
        const userId = 'newUser' in guest ? guest.newUser.userId : guest.userId;
        await writeEntry(transaction, 'invitation.accept', { after: invitation });
        await insertMember(transaction, { orgId, userId, role, createdAt: nowMs });
        return 'accepted';
      });
      try {
        return await unlessDeleted(accepted, 'gone');
      } catch (reason) {
        if (reason instanceof AddressTaken) return 'address taken';
        throw reason;
      }
    },

    delete: (orgId, invitationId) =>
      auditedAny(db, 'invitation.delete', (transaction) =>
        deleteOne(transaction, orgId, invitationId).returningAll(),
      ),
  };
}

/** Rolls back the transaction, so that the invitation stays. */
class AddressTaken extends Error {}

/**
 * Reports whether the sender can still sign in, and is an administrator or a member with one of the roles `givenBy`.
 */
async function mayInvite(
  db: Kysely<Database>,
  { orgId, invitedBy }: Invitation,
  givenBy: readonly Role[],
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.userId', '=', 'users.id').on('members.orgId', '=', orgId),
    )
    .select(['isAdmin', 'role'])
    .where((eb) => eb.and({ 'users.id': invitedBy, isDisabled: 0 }))
    .executeTakeFirst();
  if (!row) return false;
  return row.isAdmin === 1 || givenBy.some((role) => role === row.role);
}

const deleteOne = (db: Kysely<Database>, orgId: string, invitationId: string) =>
  db.deleteFrom('invitations').where((eb) => eb.and({ orgId, invitationId }));

function toInvitation({ digest: _, mailed, ...row }: Database['invitations']): Invitation {
  return { ...row, mailed: mailed === 1 };
}
