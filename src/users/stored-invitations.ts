import { hash, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { auditedAny, writeEntry } from '../database/audit.ts';
import { deleteSome } from '../database/housekeeping.ts';
import { readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { unlessDeleted } from '../database/transactions.ts';
import { notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { emailKey, validEmail } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { rolesThatGive } from '../organizations/access.ts';
import { insertMember } from '../organizations/stored-members.ts';
import { type Guest, type Invitation, invitationList } from './invitations.ts';
import { insertUser } from './stored-users.ts';

const lifetimeMs = 7 * 86_400_000;
const order = { orders: { created: sql.ref('createdAt') }, id: sql.ref('invitationId') };

/** Offers to join an organization. Each works once, for 7 days, and replaces an earlier one for the same address. */
export const invitationsIn = (db: Kysely<Database>, clock: Clock) => ({
  /**
   * Creates an invitation. `token` is part of the link and can't be read again later. Throws `invalid_request` and
   * `not_found`.
   */
  async create(
    input: Pick<Invitation, 'orgId' | 'email' | 'role' | 'invitedBy' | 'mailed'>,
  ): Promise<{ invitation: Invitation; token: string }> {
    const token = randomBytes(32).toString('base64url');
    const nowMs = clock.now();
    const invitation: Invitation = {
      ...input,
      invitationId: newId(),
      email: validEmail(input.email),
      createdAt: nowMs,
      expiresAt: nowMs + lifetimeMs,
    };
    const row = { ...invitation, mailed: Number(input.mailed), digest: digestOf(token) };
    const { orgId: _org, email: _email, ...changed } = row;
    const written = auditedAny(db, 'invitation.create', (transaction) =>
      transaction
        .insertInto('invitations')
        .values(row)
        .onConflict((conflict) => conflict.columns(['orgId', 'email']).doUpdateSet(changed))
        .returningAll(),
    );
    await unlessDeleted(written);
    return { invitation, token };
  },

  /** Deletes some of the invitations that expired before. Returns whether there may be more. */
  pruneExpired: (expiredBeforeMs: number): Promise<boolean> =>
    deleteSome(db, 'invitations', 'invitationId', sql`expires_at < ${expiredBeforeMs}`),

  /** Returns a page of an organization's invitations, including expired ones. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery): Promise<Page<Invitation>> {
    const rows = db.selectFrom('invitations').selectAll().where('orgId', '=', orgId);
    return readPage(db, invitationList.request(query, [orgId]), { rows, ...order }, toInvitation);
  },

  /** Reports whether any organization has invited the address, and the invitation has not expired. */
  async isExpected(email: string): Promise<boolean> {
    const row = await db
      .selectFrom('invitations')
      .select('invitationId')
      .where('email', '=', emailKey(email))
      .where('expiresAt', '>', clock.now())
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  /**
   * Throws `not_found` for an invitation that is unknown, expired, accepted or withdrawn, without distinguishing them.
   */
  async find(token: string): Promise<Invitation> {
    const row = await db
      .selectFrom('invitations')
      .selectAll()
      .where('digest', '=', digestOf(token))
      .executeTakeFirst();
    if (!row || row.expiresAt <= clock.now()) throw noInvitation();
    return toInvitation(row);
  },

  /**
   * Turns an invitation into a membership, once, and creates the user if needed. Existing members keep their role.
   * Throws `not_found` if the invitation, the organization or the guest is gone, or if the sender may not invite any
   * more, and `invalid_request` when a new user's address is taken. Nothing is created then.
   */
  async accept(invitation: Invitation, guest: Guest): Promise<void> {
    const { orgId, invitationId, role } = invitation;
    const accepted = db.transaction().execute(async (transaction) => {
      if (!(await changesAny(deleteOne(transaction, orgId, invitationId)))) return false;
      if (!(await mayInvite(transaction, invitation, clock.now()))) {
        await writeEntry(transaction, 'invitation.delete', { before: invitation });
        return false;
      }
      if ('newUser' in guest) await insertUser(transaction, guest.newUser);
      const userId = 'newUser' in guest ? guest.newUser.userId : guest.userId;
      await writeEntry(transaction, 'invitation.accept', { after: invitation });
      await insertMember(transaction, { orgId, userId, role, createdAt: clock.now() });
      return true;
    });
    if (!(await unlessDeleted(accepted, noInvitation))) throw noInvitation();
  },

  /** Throws `not_found`. */
  async delete(orgId: string, invitationId: string): Promise<void> {
    const isDeleted = await auditedAny(db, 'invitation.delete', (transaction) =>
      deleteOne(transaction, orgId, invitationId).returningAll(),
    );
    if (!isDeleted) throw noInvitation();
  },
});

const noInvitation = () => notFound('This invitation is no longer valid: ask for a new one');

const digestOf = (token: string): string => hash('sha256', token, 'hex');

/**
 * Reports whether the sender can still sign in, and is an administrator or a member who may give the role, or is a valid
 * key of the installation.
 */
async function mayInvite(
  db: Kysely<Database>,
  { orgId, invitedBy, role }: Invitation,
  nowMs: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .leftJoin('members', (join) =>
      join.onRef('members.userId', '=', 'users.id').on('members.orgId', '=', orgId),
    )
    .select(['isAdmin', 'members.role'])
    .where((eb) => eb.and({ 'users.id': invitedBy, isDisabled: 0 }))
    .executeTakeFirst();
  if (!row) return mayKeyInvite(db, invitedBy, nowMs);
  return row.isAdmin === 1 || rolesThatGive(role).some((giver) => giver === row.role);
}

async function mayKeyInvite(db: Kysely<Database>, keyId: string, nowMs: number): Promise<boolean> {
  const key = db
    .selectFrom('api_keys')
    .select('scopes')
    .where((eb) => eb.and({ keyId, status: 'active', enabled: 1 }))
    .where('orgId', 'is', null)
    .where('expiresAt', '>', nowMs);
  return (await key.executeTakeFirst())?.scopes.split(' ').includes('manage:users') ?? false;
}

const deleteOne = (db: Kysely<Database>, orgId: string, invitationId: string) =>
  db.deleteFrom('invitations').where((eb) => eb.and({ orgId, invitationId }));

function toInvitation({ digest: _, mailed, ...row }: Database['invitations']): Invitation {
  return { ...row, mailed: mailed === 1 };
}
