import { maxNameLength, validName } from '../keys/key.ts';
import type { Clock } from '../lib/clock.ts';
import { localPart, validEmail } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import { digestPassword, generatePassword, isPassword, requirePassword } from './passwords.ts';
import type { usersIn } from './stored-users.ts';
import { type NewUserRecord, type User, wrongPassword } from './user.ts';

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
type StoredUsers = ReturnType<typeof usersIn>;

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
