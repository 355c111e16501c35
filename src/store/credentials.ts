import type { Kysely } from 'kysely';
import type { Credentials, NewPassword, PasswordChange } from '../accounts/accounts.ts';
import type { Database } from './schema.ts';

/** Of the credentials, the one that is a password, as better-auth names it. */
const passwordProvider = 'credential';

/**
 * Sets the password and ends all that was begun with the one before: sessions, links to choose a new password, trusted browsers.
 * From an account whose address nobody has proved it also takes the links to providers and the second factor: whoever made it
 * could have set them up. To be called in a transaction. False: there is no such user.
 */
export async function replacePassword(
  transaction: Kysely<Database>,
  userId: string,
  { passwordDigest, credentialId, removeTotp, provesAddress, nowMs }: NewPassword,
): Promise<boolean> {
  const user = await lockUser(transaction, userId, nowMs);
  if (!user) return false;
  const { isProved } = user;
  await endAccess(transaction, userId);
  await transaction
    .deleteFrom('credentials')
    .where('userId', '=', userId)
    .$if(isProved, (query) => query.where('providerId', '=', passwordProvider))
    .execute();
  await insertPassword(transaction, { userId, credentialId, passwordDigest, nowMs });
  if (removeTotp || !isProved) await removeSecondFactor(transaction, userId);
  if (provesAddress) await markProved(transaction, userId);
  return true;
}

/** Locks the user's row, so that of two changes at once, the second sees what the first did. To be called first in a transaction. */
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

/** Takes every way to sign in from an account. To be called in a transaction. */
export async function dropCredentials(transaction: Kysely<Database>, userId: string): Promise<void> {
  await endAccess(transaction, userId);
  await transaction.deleteFrom('credentials').where('userId', '=', userId).execute();
  await removeSecondFactor(transaction, userId);
}

/** Links to choose a new password, trusted browsers, and sign-ins that wait for a code: better-auth keeps the user's id as the value. */
export async function deletePending(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('verifications').where('value', '=', userId).execute();
}

/** The library moves `updated_at` of a password when it changes, and not when somebody signs in with it. */
export async function credentialsOf(
  db: Kysely<Database>,
  column: 'id' | 'email',
  value: string,
): Promise<Credentials | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('credentials', 'credentials.userId', 'users.id')
    .leftJoin('two_factors', (join) =>
      // One that is not confirmed yet is not asked for.
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
    passwordDigest: row.password ?? '',
  };
}

export async function insertPassword(
  db: Kysely<Database>,
  {
    userId,
    credentialId,
    passwordDigest,
    nowMs,
  }: Pick<NewPassword, 'credentialId' | 'passwordDigest' | 'nowMs'> & {
    userId: string;
  },
): Promise<void> {
  const at = isoTime(nowMs);
  await db
    .insertInto('credentials')
    .values({
      id: credentialId,
      userId,
      providerId: passwordProvider,
      accountId: userId,
      password: passwordDigest,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Replaces the password that was checked, unless it has been replaced since. To be called in a transaction. */
export async function changePassword(
  transaction: Kysely<Database>,
  { userId, passwordVersion }: Credentials,
  { passwordDigest, sessionId, nowMs }: PasswordChange,
): Promise<boolean> {
  if (!(await lockUser(transaction, userId, nowMs))) return false;
  const now = await credentialsOf(transaction, 'id', userId);
  if (now?.passwordVersion !== passwordVersion) return false;
  await transaction
    .updateTable('credentials')
    .set({ password: passwordDigest, updatedAt: isoTime(nowMs) })
    .where('userId', '=', userId)
    .where('providerId', '=', passwordProvider)
    .execute();
  await endAccess(transaction, userId, sessionId);
  return true;
}

/** Ends the sessions but one, and everything that waits: reset links, trusted browsers, sign-ins that wait for a code. */
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
