import type { Kysely, Selectable } from 'kysely';
import type { AccountStore, NewUserRecord, User } from '../accounts/accounts.ts';
import type { Database } from './schema.ts';

/** Of the credentials, the one that is a password, as better-auth names it. */
const passwordProvider = 'credential';

export function accountStore(db: Kysely<Database>): AccountStore {
  const found = async (column: 'id' | 'email', value: string): Promise<User | undefined> => {
    const row = await db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
    return row && toUser(row);
  };

  return {
    insert: (user) => db.transaction().execute((transaction) => insertUser(transaction, user)),

    find: (userId) => found('id', userId),
    findByEmail: (email) => found('email', email),

    async list() {
      const rows = await db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toUser);
    },

    async rename(userId, name, nowMs) {
      await db
        .updateTable('users')
        .set({ name, updated_at: isoTime(nowMs) })
        .where('id', '=', userId)
        .execute();
    },

    async setPassword(userId, { passwordDigest, credentialId, removeTotp, nowMs }) {
      const at = isoTime(nowMs);
      await db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('credentials')
          .set({ password: passwordDigest, updated_at: at })
          .where('user_id', '=', userId)
          .where('provider_id', '=', passwordProvider)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          await insertPassword(transaction, userId, credentialId, passwordDigest, at);
        }
        await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
        if (!removeTotp) return;
        await transaction.deleteFrom('two_factors').where('user_id', '=', userId).execute();
        await transaction
          .updateTable('users')
          .set({ two_factor_enabled: 0 })
          .where('id', '=', userId)
          .execute();
      });
    },
  };
}

/** To be called in a transaction. False: somebody has this e-mail address already. */
export async function insertUser(transaction: Kysely<Database>, user: NewUserRecord): Promise<boolean> {
  const at = isoTime(user.createdAt);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('users')
    .values({
      id: user.userId,
      name: user.name,
      email: user.email,
      email_verified: Number(user.emailVerified),
      is_admin: Number(user.isAdmin),
      two_factor_enabled: 0,
      image: null,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) return false;
  await insertPassword(transaction, user.userId, user.credentialId, user.passwordDigest, at);
  return true;
}

async function insertPassword(
  db: Kysely<Database>,
  userId: string,
  credentialId: string,
  password: string,
  at: string,
): Promise<void> {
  await db
    .insertInto('credentials')
    .values({
      id: credentialId,
      user_id: userId,
      provider_id: passwordProvider,
      account_id: userId,
      password,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

function toUser(row: Selectable<Database['users']>): User {
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    isAdmin: row.is_admin === 1,
    usesTotp: row.two_factor_enabled === 1,
    createdAt: Date.parse(row.created_at),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
