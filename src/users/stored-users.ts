import { type Kysely, sql } from 'kysely';
import { locked, writeEntry } from '../database/audit.ts';
import { folded, readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { changesAny } from '../database/sql.ts';
import { notFound } from '../errors.ts';
import { validName } from '../keys/key.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { emailKey } from '../lib/email.ts';
import type { Page, PageQuery } from '../lib/page.ts';
import {
  changePassword,
  credentialsOf,
  dropCredentials,
  insertPassword,
  lockUser,
  passwordProvider,
  replacePassword,
} from './stored-credentials.ts';
import {
  addressTaken,
  type Credentials,
  type NewPassword,
  type NewUserRecord,
  type PasswordChange,
  type User,
  userList,
} from './user.ts';

const name = folded('name');
const listed = {
  orders: { created: sql.ref('createdAt'), name },
  id: sql.ref('id'),
  searched: [name, sql.ref('email')],
};

/** The people who may sign in. sign-in.ts handles the sign-in itself, and users/users.ts their passwords. */
export const usersIn = (db: Kysely<Database>, clock: Clock) => ({
  /** Adds a user with their password. Throws `invalid_request` when the address is taken. */
  insert: (user: NewUserRecord): Promise<void> =>
    db.transaction().execute((transaction) => insertUser(transaction, user)),

  /** Undefined: there is no such user. */
  findById: (userId: string): Promise<User | undefined> => findUser(db, 'id', userId),
  find: (email: string): Promise<User | undefined> => findUser(db, 'email', emailKey(email)),

  /** Throws `not_found`. */
  async get(userId: string): Promise<User> {
    const user = await findUser(db, 'id', userId);
    if (!user) throw notFound('No such user');
    return user;
  },

  /** Throws `not_found`. */
  async byEmail(email: string): Promise<User> {
    const user = await findUser(db, 'email', emailKey(email));
    if (!user) throw notFound(`No user ${email}`);
    return user;
  },

  /** Undefined: there is no such user, or the user has no password. */
  credentials: (userId: string): Promise<Credentials | undefined> => credentialsOf(db, 'id', userId),
  credentialsByEmail: (email: string): Promise<Credentials | undefined> =>
    credentialsOf(db, 'email', emailKey(email)),

  /** Returns a page of all users. Throws `invalid_request`. */
  async list(query: PageQuery): Promise<Page<User>> {
    return readPage(db, userList.request(query), { rows: selectUsers(db), ...listed }, toUser);
  },

  /** Throws `invalid_request`. */
  async rename(userId: string, given: string): Promise<void> {
    const name = validName(given);
    await db.transaction().execute(async (transaction) => {
      const before = await locked(transaction, 'users', 'id', userId);
      await transaction
        .updateTable('users')
        .set({ name, updatedAt: isoTime(clock.now()) })
        .where('id', '=', userId)
        .execute();
      if (before) await writeEntry(transaction, 'user.change', { before, after: { ...before, name } });
    });
  },

  /** Sets the user's password, or adds one, and ends all sessions and reset password links. */
  async setPassword(userId: string, password: NewPassword): Promise<void> {
    await db
      .transaction()
      .execute((transaction) => replacePassword(transaction, userId, password, clock.now()));
  },

  /**
   * Replaces the password that was checked, and ends all other sessions and all reset password links. Throws
   * `invalid_request` if the password was replaced meanwhile.
   */
  replacePassword: (checked: Credentials, change: PasswordChange): Promise<void> =>
    db.transaction().execute((transaction) => changePassword(transaction, checked, change, clock.now())),

  /**
   * Removes every way to sign in from an account whose address was never verified, so that a provider that has verified
   * it can be linked. Returns false, and changes nothing, if there is no such account, it is disabled, or it is an
   * administrator's whose address was never verified.
   */
  makeWayForProvider: (userId: string): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const user = await lockUser(transaction, userId, clock.now());
      if (!user || user.isDisabled || (user.isAdmin && !user.isProved)) return false;
      if (user.isProved) return true;
      await dropCredentials(transaction, userId);
      await writeEntry(transaction, 'user.reset', { after: { userId } });
      return true;
    }),
});

function selectUsers(db: Kysely<Database>) {
  return db
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
}

async function findUser(
  db: Kysely<Database>,
  column: 'id' | 'email',
  value: string,
): Promise<User | undefined> {
  const row = await selectUsers(db).where(column, '=', value).executeTakeFirst();
  return row && toUser(row);
}

/** Inserts a user, in a transaction. Throws `invalid_request` if another user has the address. */
export async function insertUser(transaction: Kysely<Database>, user: NewUserRecord): Promise<void> {
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
  if (!(await changesAny(insertion))) throw addressTaken(user.email);
  await insertPassword(transaction, user.userId, user.passwordDigest, user.createdAt);
  await writeEntry(transaction, 'user.create', { after: user });
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
