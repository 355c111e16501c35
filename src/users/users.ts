import { invalidField, type ServiceError } from '../errors.ts';
import { maxNameLength, validName } from '../keys/key.ts';
import type { Clock } from '../lib/clock.ts';
import { localPart, validEmail } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Stores } from '../store/stores.ts';
import { digestPassword, generatePassword, isPassword, requirePassword } from './passwords.ts';

/** A person who may sign in. Times are in milliseconds since the Unix epoch. */
export interface User {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Administrators of the installation may do everything in every organization. */
  readonly isAdmin: boolean;
  readonly usesTotp: boolean;
  /** False: they sign in with a provider only. */
  readonly hasPassword: boolean;
  /** A disabled user can't sign in until an administrator enables the user again. */
  readonly isDisabled: boolean;
  /** Number of organizations that the user is a member of. */
  readonly organizationCount: number;
  readonly createdAt: number;
}

/** A user's password, and the versions of their credentials. */
export interface Credentials {
  readonly userId: string;
  /** A different value for each password and each second factor that the user has had. */
  readonly version: string;
  /** A different value for each password that the user has had. */
  readonly passwordVersion: string;
  /** Milliseconds since the Unix epoch. */
  readonly passwordSetAt: number;
  readonly passwordDigest: string;
}

export interface NewUserRecord {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly passwordDigest: string;
  readonly createdAt: number;
}

export interface NewPassword {
  readonly passwordDigest: string;
  /** Whether to remove the second factor too. It is always removed if the address was never verified. */
  readonly removeTotp: boolean;
  /** Whether setting the password proves that the address is the user's. */
  readonly provesAddress: boolean;
}

export interface PasswordChange {
  readonly passwordDigest: string;
  /** The only session of the user that stays signed in. */
  readonly sessionId: string;
}

export const userList = new PagedList('users', {
  orders: { created: 'text', name: 'text' },
  defaultSort: 'created',
  searched: ['name', 'email address'],
});

export interface NewUser {
  readonly email: string;
  /** Undefined: the part of the address before the @. */
  readonly name?: string | undefined;
  readonly isAdmin?: boolean;
  /** Undefined: a password is generated. */
  readonly password?: string;
  /** Whether the address is known to be the user's own. */
  readonly emailVerified?: boolean;
}

/** What is stored of users, without their passwords' texts. */
type StoredUsers = Stores['users'];

/** Returns the users with what needs the texts of their passwords, whose digests take too long for a database's thread. */
export const usersWith = (stored: StoredUsers, clock: Clock) => ({
  ...stored,

  /** Creates a user. `password` can't be read again later. Throws `invalid_request`, also when the address is taken. */
  async create(input: NewUser): Promise<{ user: User; password: string }> {
    const { record, password } = await prepared(input, clock);
    await stored.insert(record);
    return { user: await stored.get(record.userId), password };
  },

  /** Prepares a user that is stored together with something else. Throws `invalid_request`. */
  async prepare(input: NewUser): Promise<NewUserRecord> {
    return (await prepared(input, clock)).record;
  },

  /** Changes the password, and ends all other sessions and all reset password links. Throws `invalid_request`. */
  async changePassword(
    { userId, sessionId }: { userId: string; sessionId: string },
    { current, next }: { current: string; next: string },
  ): Promise<void> {
    requirePassword(next, 'new_password');
    const checked = await stored.credentials(userId);
    if (!checked || !(await isPassword(current, checked.passwordDigest))) throw wrongPassword();
    await stored.replacePassword(checked, { passwordDigest: await digestPassword(next), sessionId });
  },

  /**
   * Generates a new password, which can't be read again later, and ends all sessions and reset password links. Throws
   * `not_found`.
   */
  async resetPassword(
    email: string,
    { removeTotp, provesAddress = false }: { removeTotp: boolean; provesAddress?: boolean },
  ): Promise<{ user: User; password: string }> {
    const { userId } = await stored.byEmail(email);
    const password = generatePassword();
    const passwordDigest = await digestPassword(password);
    await stored.setPassword(userId, { passwordDigest, removeTotp, provesAddress });
    return { user: await stored.get(userId), password };
  },
});

export type Users = ReturnType<typeof usersWith>;

async function prepared(
  { email, name, isAdmin = false, password = generatePassword(), emailVerified = false }: NewUser,
  clock: Clock,
): Promise<{ record: NewUserRecord; password: string }> {
  const address = validEmail(email);
  const given = {
    name: validName(name ?? localPart(address).slice(0, maxNameLength)),
    isAdmin,
    emailVerified,
  };
  requirePassword(password);
  const passwordDigest = await digestPassword(password);
  return {
    record: { userId: newId(), email: address, ...given, passwordDigest, createdAt: clock.now() },
    password,
  };
}

export const addressTaken = (email: string) =>
  invalidField('email', `A user with the email address ${email} already exists`);

export const wrongPassword = (): ServiceError => invalidField('password', 'The password is wrong');
