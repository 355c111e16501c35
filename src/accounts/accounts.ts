import { ServiceError } from '../errors.ts';
import { maxNameLength, validName } from '../keys/valid-name.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { emailKey, localPart, validEmail } from './email.ts';
import { digestPassword, generatePassword, isPassword, requirePassword } from './passwords.ts';

/** A person who may sign in. Times in milliseconds since the Unix epoch. */
export interface User {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Administers the installation: everything, in every organization. */
  readonly isAdmin: boolean;
  readonly usesTotp: boolean;
  /** Cannot sign in until an administrator enables the user again. */
  readonly isDisabled: boolean;
  /** How many organizations the user is a member of. */
  readonly organizationCount: number;
  readonly createdAt: number;
}

/** What a user signs in with. */
export interface Credentials {
  readonly userId: string;
  /** Another one for each password and each second factor that the user ever has. */
  readonly version: string;
  /** Another one for each password that the user ever has. */
  readonly passwordVersion: string;
  readonly passwordDigest: string;
}

export interface NewUserRecord {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly credentialId: string;
  readonly passwordDigest: string;
  readonly createdAt: number;
}

export interface NewPassword {
  readonly passwordDigest: string;
  readonly credentialId: string;
  /** Whether the second factor goes as well. It does in any case when the address was never proved. */
  readonly removeTotp: boolean;
  /** Whether the user has shown that the address is theirs. */
  readonly provesAddress: boolean;
  readonly nowMs: number;
}

export interface PasswordChange {
  readonly passwordDigest: string;
  /** The one session of the user that stays. */
  readonly sessionId: string;
  readonly nowMs: number;
}

export interface AccountStore {
  /** With a password to sign in with, in one transaction. False: somebody has this e-mail address already. */
  insert(user: NewUserRecord): Promise<boolean>;
  find(userId: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Undefined: there is no such user, or the user has no password. */
  credentials(userId: string): Promise<Credentials | undefined>;
  credentialsByEmail(email: string): Promise<Credentials | undefined>;
  /** Oldest first. */
  list(): Promise<User[]>;
  rename(userId: string, name: string, nowMs: number): Promise<void>;
  /** Sets the password, gives one to a user who had none, and ends all sessions and all links to choose another. */
  setPassword(userId: string, password: NewPassword): Promise<void>;
  /**
   * Replaces the password that was checked, and ends all other sessions and all links to choose another. False: it was replaced
   * meanwhile, and nothing is changed.
   */
  changePassword(checked: Credentials, change: PasswordChange): Promise<boolean>;
  /**
   * Takes every way to sign in from an account whose address was never proved, before a provider that has proved it is linked.
   * False: there is no such account, it is disabled, or it is an administrator's, and nothing is changed.
   */
  makeWayForProvider(userId: string, nowMs: number): Promise<boolean>;
}

export interface NewUser {
  readonly email: string;
  /** Undefined: what stands before the @. */
  readonly name?: string | undefined;
  readonly isAdmin?: boolean;
  /** Undefined: one is made. */
  readonly password?: string;
  /** Whether it is known that the address is the user's own. */
  readonly emailVerified?: boolean;
}

/** The people who may sign in. Signing in itself is sign-in.ts. */
export class Accounts {
  readonly #store: AccountStore;
  readonly #clock: Clock;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws `invalid_request`, also when somebody has the address. `password` is told this once. */
  async create(input: NewUser): Promise<{ user: User; password: string }> {
    const { record, password } = await this.prepare(input);
    if (!(await this.#store.insert(record))) throw addressTaken(record.email);
    const { userId, email, name, isAdmin, createdAt } = record;
    return {
      user: {
        userId,
        email,
        name,
        isAdmin,
        usesTotp: false,
        isDisabled: false,
        organizationCount: 0,
        createdAt,
      },
      password,
    };
  }

  /** Makes a user to be stored together with something else. Throws `invalid_request`. */
  async prepare(input: NewUser): Promise<{ record: NewUserRecord; password: string }> {
    const email = validEmail(input.email);
    const name = validName(input.name ?? localPart(email).slice(0, maxNameLength));
    const password = input.password ?? generatePassword();
    requirePassword(password);
    const record: NewUserRecord = {
      userId: newId(),
      email,
      emailVerified: input.emailVerified ?? false,
      name,
      isAdmin: input.isAdmin ?? false,
      credentialId: newId(),
      passwordDigest: await digestPassword(password),
      createdAt: this.#clock.now(),
    };
    return { record, password };
  }

  /** Throws `not_found`. */
  async get(userId: string): Promise<User> {
    const user = await this.#store.find(userId);
    if (!user) throw new ServiceError('not_found', 'No such user');
    return user;
  }

  /** Throws `not_found`. */
  async byEmail(email: string): Promise<User> {
    const user = await this.find(email);
    if (!user) throw new ServiceError('not_found', `No user ${email}`);
    return user;
  }

  find(email: string): Promise<User | undefined> {
    return this.#store.findByEmail(emailKey(email));
  }

  /** Ends all other sessions and all links to choose a password. Throws `invalid_request`. */
  async changePassword(
    { userId, sessionId }: { userId: string; sessionId: string },
    { current, next }: { current: string; next: string },
  ): Promise<void> {
    requirePassword(next, 'new_password');
    const checked = await this.#store.credentials(userId);
    if (!checked || !(await isPassword(current, checked.passwordDigest))) throw wrongPassword();
    const passwordDigest = await digestPassword(next);
    const change = { passwordDigest, sessionId, nowMs: this.#clock.now() };
    if (!(await this.#store.changePassword(checked, change))) throw wrongPassword();
  }

  /** Undefined: there is no such user, or the user has no password. */
  credentials(userId: string): Promise<Credentials | undefined> {
    return this.#store.credentials(userId);
  }

  credentialsByEmail(email: string): Promise<Credentials | undefined> {
    return this.#store.credentialsByEmail(emailKey(email));
  }

  list(): Promise<User[]> {
    return this.#store.list();
  }

  /** Throws `invalid_request`. */
  async rename(userId: string, name: string): Promise<void> {
    await this.#store.rename(userId, validName(name), this.#clock.now());
  }

  /** Makes a new password, told this once, and ends all sessions. Throws `not_found`. */
  async resetPassword(
    email: string,
    options: { removeTotp: boolean },
  ): Promise<{ user: User; password: string }> {
    const user = await this.byEmail(email);
    const password = generatePassword();
    await this.#store.setPassword(user.userId, {
      passwordDigest: await digestPassword(password),
      credentialId: newId(),
      removeTotp: options.removeTotp,
      provesAddress: false,
      nowMs: this.#clock.now(),
    });
    return { user: await this.get(user.userId), password };
  }

  /** Whether a provider that has proved the address of a user may be linked to the account. */
  makeWayForProvider(userId: string): Promise<boolean> {
    return this.#store.makeWayForProvider(userId, this.#clock.now());
  }
}

export const addressTaken = (email: string) =>
  new ServiceError('invalid_request', `There is a user ${email} already`, { param: 'email' });

export const wrongPassword = (): ServiceError =>
  new ServiceError('invalid_request', 'The password is wrong', { param: 'password' });
