import { type Kysely, sql } from 'kysely';
import { audited, writeEntry } from '../database/audit.ts';
import { folded, readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { invalidField, invalidRequest, notFound, type ServiceError } from '../errors.ts';
import { type KeysLeft, settleKeys } from '../keys/keys-of-user.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import { type Role, rolesToGive } from './access.ts';
import { type Member, type Membership, memberList } from './members.ts';

const joined = sql.ref('members.createdAt');
const userName = folded('users.name');
const listed = {
  orders: { created: joined, name: userName },
  id: sql.ref('members.userId'),
  searched: [userName, sql.ref('users.email')],
};

/** The members of organizations and their roles. An organization keeps an owner who can sign in. */
export const membersIn = (db: Kysely<Database>, clock: Clock) => ({
  role: (orgId: string, userId: string): Promise<Role | undefined> => findRole(db, { orgId, userId }),

  /** Throws `not_found`. */
  async get(orgId: string, userId: string): Promise<Member> {
    const row = await selectMembers(db, orgId).where('members.userId', '=', userId).executeTakeFirst();
    if (!row) throw noMember();
    return toMember(row);
  },

  /** Returns a page of an organization's members; `onlyHere`: who belong to nothing else. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery, onlyHere = false): Promise<Page<Member>> {
    const request = memberList.request(query, [orgId, String(onlyHere)]);
    return readPage(db, request, { rows: selectMembers(db, orgId, onlyHere), ...listed }, toMember);
  },

  /** Adds a member. False: the user already is a member and keeps the role. */
  add: (orgId: string, userId: string, role: Role): Promise<boolean> =>
    db
      .transaction()
      .execute((transaction) => insertMember(transaction, { orgId, userId, role, createdAt: clock.now() })),

  /**
   * Changes the role of a member as it was read: what the caller may do can depend on that role. Throws `not_found`,
   * and `invalid_request` for the last owner or if the member has another role by now.
   */
  setRole: (member: Membership, to: Role): Promise<void> => change(db, member, to, clock.now()),

  /**
   * Removes a member as they were read. Throws as `setRole` does, and `invalid_request` for a successor who is not
   * another member.
   */
  remove: (member: Membership, keys: KeysLeft = {}): Promise<void> =>
    change(db, member, null, clock.now(), keys),
});

/** In the same transaction, deletes the invitations that the member has sent and could not send any more. */
function change(
  db: Kysely<Database>,
  { orgId, userId, role }: Membership,
  to: Role | null,
  nowMs: number,
  keys: KeysLeft = {},
): Promise<void> {
  const where = { orgId, userId, role };
  return db.transaction().execute(async (transaction) => {
    const isAlone = (await withoutOtherOwner(transaction, userId, [orgId])).length > 0;
    if (to !== 'owner' && isAlone && (await findRole(transaction, where)) === 'owner')
      throw invalidField(
        'role',
        'An organization needs an owner who can sign in: make another member an owner first',
      );
    const isChanged = await changesAny(
      to === null
        ? transaction.deleteFrom('members').where((eb) => eb.and(where))
        : transaction
            .updateTable('members')
            .set({ role: to, ...(to !== role && { fromProvider: 0 }) })
            .where((eb) => eb.and(where)),
    );
    if (!isChanged)
      throw (await findRole(transaction, where))
        ? invalidRequest('The role of this member has just changed. Try again')
        : noMember();
    const after = to !== null && { after: { ...where, role: to } };
    await writeEntry(transaction, to === null ? 'member.delete' : 'member.change', {
      before: where,
      ...after,
    });
    await deleteInvitations(transaction, where, to === null ? [] : rolesToGive(to));
    const { revokesKeys, successorId } = keys;
    // The removed member is no longer one, so they can't be their own successor.
    if (successorId && (revokesKeys || !(await findRole(transaction, { orgId, userId: successorId }))))
      throw invalidField('successor_id', 'successor_id must be another member, without revoke_keys');
    await settleKeys(transaction, { orgId, userId }, keys, nowMs);
  });
}

const noMember = (): ServiceError => notFound('No such member');

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

/** Returns the role of a member. Undefined: the user is no member. */
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

/** `onlyHere`: those who belong to nothing else. Administrators belong to the installation. */
function selectMembers(db: Kysely<Database>, orgId: string, onlyHere = false) {
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
    .where('members.orgId', '=', orgId)
    .$if(onlyHere, (all) =>
      all.where(sql<boolean>`users.is_admin = 0 AND NOT EXISTS (SELECT 1 FROM members AS others
        WHERE others.user_id = members.user_id AND others.org_id <> ${orgId})`),
    );
}

function toMember<Row extends { lastSeen: string | null; fromProvider: number }>(given: Row) {
  const { lastSeen, fromProvider, ...row } = given;
  return {
    ...row,
    lastSeenAt: lastSeen === null ? null : Date.parse(lastSeen),
    fromProvider: fromProvider === 1,
  };
}
