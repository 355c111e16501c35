import { type Kysely, sql } from 'kysely';
import { isoTime } from '../lib/clock.ts';
import type { NewUserRecord, User, UserStore } from '../users/users.ts';
import { locked, writeEntry } from './audit.ts';
import {
  changePassword,
  credentialsOf,
  dropCredentials,
  insertPassword,
  lockUser,
  passwordProvider,
  replacePassword,
} from './credentials.ts';
import { folded, readPage } from './keyset.ts';
import type { Database } from './schema.ts';
import { changesAny } from './sql.ts';

const name = folded('name');
const listed = {
  orders: { created: sql.ref('createdAt'), name },
  id: sql.ref('id'),
  searched: [name, sql.ref('email')],
};

export function userStore(db: Kysely<Database>): UserStore {
  const users = () =>
    db
      .selectFrom('users')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('members')
          .select(eb.fn.countAll<number>().as('count'))
          .whereRef('members.userId', '=', 'users.id')
          .as('organizationCount'),
      )
      .select((eb) =>
        eb
          .selectFrom('credentials')
          .select(eb.fn.countAll<number>().as('count'))
          .whereRef('credentials.userId', '=', 'users.id')
          .where('providerId', '=', passwordProvider)
          .as('passwordCount'),
      );
  const found = async (column: 'id' | 'email', value: string): Promise<User | undefined> => {
    const row = await users().where(column, '=', value).executeTakeFirst();
    return row && toUser(row);
  };

  return {
    insert: (user) => db.transaction().execute((transaction) => insertUser(transaction, user)),

    find: (userId) => found('id', userId),
    findByEmail: (email) => found('email', email),

    credentials: (userId) => credentialsOf(db, 'id', userId),
    credentialsByEmail: (email) => credentialsOf(db, 'email', email),

    list: (page) => readPage(db, page, { rows: users(), ...listed }, toUser),

    async rename(userId, name, nowMs) {
      await db.transaction().execute(async (transaction) => {
        const before = await locked(transaction, 'users', 'id', userId);
        await transaction
          .updateTable('users')
          .set({ name, updatedAt: isoTime(nowMs) })
          .where('id', '=', userId)
          .execute();
        if (before) await writeEntry(transaction, 'user.change', { before, after: { ...before, name } });
      });
    },

    async setPassword(userId, password) {
      await db.transaction().execute((transaction) => replacePassword(transaction, userId, password));
    },

    changePassword: (checked, change) =>
      db.transaction().execute((transaction) => changePassword(transaction, checked, change)),

    makeWayForProvider(userId, nowMs) {
      return db.transaction().execute(async (transaction) => {
        const user = await lockUser(transaction, userId, nowMs);
        if (!user || user.isDisabled || (user.isAdmin && !user.isProved)) return false;
        if (user.isProved) return true;
        await dropCredentials(transaction, userId);
        await writeEntry(transaction, 'user.reset', { after: { userId } });
        return true;
      });
    },
  };
}

/** Inserts a user, in a transaction. False: another user has this e-mail address. */
export async function insertUser(transaction: Kysely<Database>, user: NewUserRecord): Promise<boolean> {
  const at = isoTime(user.createdAt);
  const insertion = transaction
    .insertInto('users')
    .values({
      id: user.userId,
      name: user.name,
      email: user.email,
      emailVerified: Number(user.emailVerified),
      isAdmin: Number(user.isAdmin),
      twoFactorEnabled: 0,
      isDisabled: 0,
      image: null,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing());
  if (!(await changesAny(insertion))) return false;
  await insertPassword(transaction, { ...user, nowMs: user.createdAt });
  await writeEntry(transaction, 'user.create', { after: user });
  return true;
}

function toUser(row: Database['users'] & Record<'organizationCount' | 'passwordCount', number | null>): User {
  return {
    userId: row.id,
    email: row.email,
    name: row.name,
    isAdmin: row.isAdmin === 1,
    usesTotp: row.twoFactorEnabled === 1,
    hasPassword: Number(row.passwordCount) > 0,
    isDisabled: row.isDisabled === 1,
    organizationCount: Number(row.organizationCount),
    createdAt: Date.parse(row.createdAt),
  };
}
