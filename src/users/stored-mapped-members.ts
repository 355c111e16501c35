import type { Kysely } from 'kysely';
import { writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { retryDeletion } from '../database/transactions.ts';
import { settleKeys } from '../keys/keys-of-user.ts';
import type { Clock } from '../lib/clock.ts';
import { givable } from '../organizations/access.ts';
import type { Memberships } from '../organizations/members.ts';
import { deleteInvitations, insertMember, withoutOtherOwner } from '../organizations/stored-members.ts';
import { lockUser } from './stored-credentials.ts';

/** The memberships that a provider gives. */
export const mappedMembersIn = (db: Kysely<Database>, clock: Clock) => ({
  /**
   * Makes the user's memberships that come from the provider exactly `mapped`, in one transaction. Leaves memberships
   * that people have made or changed as they are. `revokesKeys`: also revokes the user's keys where they are no longer a
   * member. Returns the organizations that don't exist, and those that have lost their last owner who can sign in.
   */
  setMapped: (userId: string, mapped: Memberships, revokesKeys = false) =>
    retryDeletion(() =>
      db.transaction().execute((db) => replaceMapped(db, { userId, revokesKeys }, mapped, clock.now())),
    ),
});

async function replaceMapped(
  transaction: Kysely<Database>,
  { userId, revokesKeys }: { userId: string; revokesKeys: boolean },
  named: Memberships,
  nowMs: number,
): Promise<{ missing: string[]; ownerless: string[] }> {
  // The second of two concurrent sign-ins of the user sees what the first has written.
  await lockUser(transaction, userId, nowMs);
  const held = await transaction
    .selectFrom('members')
    .select(['orgId', 'role', 'fromProvider'])
    .where('userId', '=', userId)
    .execute();
  const ids = await idsOf(transaction, [...named.keys()]);
  const mapped = new Map(
    [...named].flatMap(([name, role]) => (ids.has(name) ? [[ids.get(name)!, role]] : [])),
  );
  const lost = held.filter(
    ({ orgId, role, fromProvider }) => fromProvider === 1 && role !== mapped.get(orgId),
  );
  const ownerless = await withoutOtherOwner(
    transaction,
    userId,
    lost.filter(({ role }) => role === 'owner').map(({ orgId }) => orgId),
  );
  for (const { orgId, role: from } of lost) {
    const role = mapped.get(orgId) ?? null;
    const where = { orgId, userId, fromProvider: 1 };
    const isChanged = await changesAny(
      role === null
        ? transaction.deleteFrom('members').where((eb) => eb.and(where))
        : transaction
            .updateTable('members')
            .set({ role })
            .where((eb) => eb.and(where)),
    );
    // A person has changed it meanwhile.
    if (!isChanged) continue;
    const before = { orgId, userId, role: from };
    const change = { before, ...(role !== null && { after: { ...before, role } }) };
    await writeEntry(transaction, role === null ? 'member.delete' : 'member.change', change);
    await deleteInvitations(transaction, where, role === null ? [] : givable[role]);
    if (role === null) await settleKeys(transaction, { orgId, userId }, { revokesKeys }, nowMs);
  }
  for (const [orgId, role] of mapped) {
    if (held.some((membership) => membership.orgId === orgId)) continue;
    await insertMember(transaction, { orgId, userId, role, createdAt: nowMs, fromProvider: 1 });
  }
  return { missing: [...named.keys()].filter((name) => !ids.has(name)), ownerless };
}

/** Returns the ids of the organizations that have one of the names as their id or external id, by that name. */
async function idsOf(db: Kysely<Database>, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .selectFrom('organizations')
    .select(['orgId', 'externalId'])
    .where((eb) => eb.or([eb('orgId', 'in', names), eb('externalId', 'in', names)]))
    .execute();
  return new Map(
    rows.flatMap(({ orgId, externalId }) => [
      [externalId ?? orgId, orgId],
      [orgId, orgId],
    ]),
  );
}
