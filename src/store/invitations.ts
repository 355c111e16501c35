import type { Kysely } from 'kysely';
import type { Invitation, InvitationStore } from '../accounts/invitations.ts';
import type { Role } from '../accounts/roles.ts';
import { memberStore } from './members.ts';
import { unlessDeleted } from './missing-organization.ts';
import type { Database } from './schema.ts';

export function invitationStore(db: Kysely<Database>): InvitationStore {
  return {
    async put(invitation) {
      const row = { ...toRow(invitation), digest: invitation.digest };
      const { org_id: _org, email: _email, ...changed } = row;
      const written = db
        .insertInto('invitations')
        .values(row)
        .onConflict((conflict) => conflict.columns(['org_id', 'email']).doUpdateSet(changed))
        .execute();
      return (await unlessDeleted(written, null)) !== null;
    },

    async list(orgId) {
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('invitation_id')
        .execute();
      return rows.map(toInvitation);
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
        .select('invitation_id')
        .where('email', '=', email)
        .where('expires_at', '>', nowMs)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    accept({ orgId, invitationId, role }, userId, nowMs) {
      return db.transaction().execute(async (transaction) => {
        if (!(await deleteOne(transaction, orgId, invitationId))) return false;
        await memberStore(transaction).add({ orgId, userId, role, createdAt: nowMs });
        return true;
      });
    },

    delete: (orgId, invitationId) => deleteOne(db, orgId, invitationId),
  };
}

async function deleteOne(db: Kysely<Database>, orgId: string, invitationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where('invitation_id', '=', invitationId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type Row = Database['invitations'];

function toRow(invitation: Invitation): Omit<Row, 'digest'> {
  return {
    invitation_id: invitation.invitationId,
    org_id: invitation.orgId,
    email: invitation.email,
    role: invitation.role,
    mailed: Number(invitation.mailed),
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt,
    expires_at: invitation.expiresAt,
  };
}

function toInvitation(row: Row): Invitation {
  return {
    invitationId: row.invitation_id,
    orgId: row.org_id,
    email: row.email,
    role: row.role as Role,
    mailed: row.mailed === 1,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
