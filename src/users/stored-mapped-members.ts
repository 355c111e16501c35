import type { Kysely } from 'kysely';
import { writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { retryDeletion } from '../database/transactions.ts';
import type { Clock } from '../lib/clock.ts';
import { givable } from '../organizations/access.ts';
import type { Memberships } from '../organizations/members.ts';
import { deleteInvitations, insertMember, withoutOtherOwner } from '../organizations/stored-members.ts';
import { lockUser } from './stored-credentials.ts';

/** The memberships that a provider gives. */
export const mappedMembersIn = (db: Kysely<Database>, clock: Clock) => ({
  /**
   * Makes the user's memberships that come from the provider exactly `mapped`, in one transaction. Leaves memberships
   * that people have made or changed as they are. Returns the organizations that don't exist, and those that have lost
   * their last owner who can sign in.
   */
  setMapped: (userId: string, mapped: Memberships) =>
    retryDeletion(() =>
      db.transaction().execute((transaction) => replaceMapped(transaction, userId, mapped, clock.now())),
    ),
});

async function replaceMapped(
  transaction: Kysely<Database>,
  userId: string,
  mapped: Memberships,
  nowMs: number,
): Promise<{ missing: string[]; ownerless: string[] }> {
  // The second of two concurrent sign-ins of the user sees what the first has written.
  await lockUser(transaction, userId, nowMs);
  const held = await transaction
    .selectFrom('members')
    .select(['orgId', 'role', 'fromProvider'])
    .where('userId', '=', userId)
    .execute();
  const known = await existing(transaction, [...mapped.keys()]);
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
  }
  for (const [orgId, role] of mapped) {
    if (!known.has(orgId) || held.some((membership) => membership.orgId === orgId)) continue;
    await insertMember(transaction, { orgId, userId, role, createdAt: nowMs, fromProvider: 1 });
  }
  return { missing: [...mapped.keys()].filter((orgId) => !known.has(orgId)), ownerless };
}

async function existing(db: Kysely<Database>, orgIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orgIds.length === 0) return new Set();
  const rows = await db.selectFrom('organizations').select('orgId').where('orgId', 'in', orgIds).execute();
  return new Set(rows.map(({ orgId }) => orgId));
}
