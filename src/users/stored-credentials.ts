import type { Kysely } from 'kysely';
import { writeEntry } from '../database/audit.ts';
import type { Database } from '../database/schema.ts';
import { isoTime } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { type Credentials, type NewPassword, type PasswordChange, wrongPassword } from './user.ts';

/** better-auth's name for the credential that is a password. */
export const passwordProvider = 'credential';

/**
 * Sets the password, in a transaction, and ends everything that was begun with the old one: sessions, reset password
 * links and trusted browsers. If the user's address was never verified, also removes the accounts with providers and
 * the second factor, because someone else could have created the user and set them up.
 */
export async function replacePassword(
  transaction: Kysely<Database>,
  userId: string,
  { passwordDigest, removeTotp, provesAddress }: NewPassword,
  nowMs: number,
): Promise<void> {
  const user = await lockUser(transaction, userId, nowMs);
  if (!user) return;
  const { isProved } = user;
  const losesFactor = removeTotp || !isProved;
  await endAccess(transaction, userId);
  await transaction
    .deleteFrom('credentials')
    .where('userId', '=', userId)
    .$if(isProved, (query) => query.where('providerId', '=', passwordProvider))
    .execute();
  await insertPassword(transaction, userId, passwordDigest, nowMs);
  if (losesFactor) await removeSecondFactor(transaction, userId);
  if (provesAddress) await markProved(transaction, userId);
  const proof = provesAddress && { emailVerified: true };
  const after = { userId, isReset: true, ...(losesFactor && { twoFactorEnabled: false }), ...proof };
  await writeEntry(transaction, 'user.set-password', { after });
}

/** Locks the user's row, first in a transaction, so that the second of two concurrent changes sees the first. */
export async function lockUser(
  transaction: Kysely<Database>,
  userId: string,
  nowMs: number,
): Promise<{ isProved: boolean; isAdmin: boolean; isDisabled: boolean } | undefined> {
  const row = await transaction
    .updateTable('users')
    .set({ updatedAt: isoTime(nowMs) })
    .where('id', '=', userId)
    .returning(['emailVerified', 'isAdmin', 'isDisabled'])
    .executeTakeFirst();
  return (
    row && {
      isProved: row.emailVerified === 1,
      isAdmin: row.isAdmin === 1,
      isDisabled: row.isDisabled === 1,
    }
  );
}

/** Removes every way to sign in as the user, in a transaction. */
export async function dropCredentials(transaction: Kysely<Database>, userId: string): Promise<void> {
  await endAccess(transaction, userId);
  await transaction.deleteFrom('credentials').where('userId', '=', userId).execute();
  await removeSecondFactor(transaction, userId);
}

/**
 * Deletes reset password links, trusted browsers, and sign-ins that wait for a code. better-auth stores the user's id
 * as their value.
 */
export async function deletePending(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute();
}

/**
 * Returns the user's password and its version. better-auth sets `updated_at` when the password changes, but not at a
 * sign-in.
 */
export async function credentialsOf(
  db: Kysely<Database>,
  column: 'id' | 'email',
  value: string,
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .leftJoin('two_factors', (join) =>
      // A sign-in does not ask for a second factor that was never confirmed.
      join.onRef('two_factors.userId', '=', 'users.id').on('users.twoFactorEnabled', '=', 1),
    )
    .select(['users.id', 'credentials.id as passwordId', 'credentials.updatedAt', 'credentials.password'])
    .select('two_factors.id as factorId')
    .where(`users.${column}`, '=', value)
    .where('providerId', '=', passwordProvider)
    .executeTakeFirst();
  if (!row) return undefined;
  const passwordVersion = [row.id, row.passwordId, row.updatedAt].join(' ');
  return {
    userId: row.id,
    version: `${passwordVersion} ${row.factorId ?? 'none'}`,
    passwordVersion,
    passwordSetAt: Date.parse(row.updatedAt),
    passwordDigest: row.password ?? '',
  };
}

export async function insertPassword(
  db: Kysely<Database>,
  userId: string,
  passwordDigest: string,
  nowMs: number,
): Promise<void> {
  const at = isoTime(nowMs);
  await db
    .insertInto('credentials')
    .values({
      id: newId(),
      userId,
      providerId: passwordProvider,
      accountId: userId,
      password: passwordDigest,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
}

/**
 * Replaces the password that was checked, in a transaction. Throws `invalid_request` if it was replaced meanwhile, or
 * the user was deleted.
 */
export async function changePassword(
  transaction: Kysely<Database>,
  { userId, passwordVersion }: Credentials,
  { passwordDigest, sessionId }: PasswordChange,
  nowMs: number,
): Promise<void> {
  const isThere = await lockUser(transaction, userId, nowMs);
  const now = isThere && (await credentialsOf(transaction, 'id', userId));
  if (now?.passwordVersion !== passwordVersion) throw wrongPassword();
  await transaction
    .updateTable('credentials')
    .set({ password: passwordDigest, updatedAt: isoTime(nowMs) })
    .where((eb) => eb.and({ userId, providerId: passwordProvider }))
    .execute();
  await endAccess(transaction, userId, sessionId);
  await writeEntry(transaction, 'user.set-password', { after: { userId } });
}

/** Ends all sessions but `except`, and deletes everything that is pending. */
export async function endAccess(db: Kysely<Database>, userId: string, except?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except!))
    .execute();
  await deletePending(db, userId);
}

async function removeSecondFactor(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('two_factors').where('userId', '=', userId).execute();
  await db.updateTable('users').set({ twoFactorEnabled: 0 }).where('id', '=', userId).execute();
}

async function markProved(db: Kysely<Database>, userId: string): Promise<void> {
  await db.updateTable('users').set({ emailVerified: 1 }).where('id', '=', userId).execute();
}
