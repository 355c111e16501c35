import { invalidField, notFound, type ServiceError } from '../errors.ts';
import { maxNameLength, validName } from '../keys/key.ts';
import type { Clock } from '../lib/clock.ts';
import { emailKey, localPart, validEmail } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
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
  readonly credentialId: string;
  readonly passwordDigest: string;
  readonly createdAt: number;
}

export interface NewPassword {
  readonly passwordDigest: string;
  readonly credentialId: string;
  /** Whether to remove the second factor too. It is always removed if the address was never verified. */
  readonly removeTotp: boolean;
  /** Whether setting the password proves that the address is the user's. */
  readonly provesAddress: boolean;
  readonly nowMs: number;
}

export interface PasswordChange {
  readonly passwordDigest: string;
  /** The only session of the user that stays signed in. */
  readonly sessionId: string;
  readonly nowMs: number;
}

export const userList = new PagedList('users', {
  orders: { created: 'text', name: 'text' },
  defaultSort: 'created',
  searched: ['name', 'email address'],
});

export interface UserStore {
  /** Inserts a user with their password, in one transaction. False: the email address is taken. */
  insert(user: NewUserRecord): Promise<boolean>;
  find(userId: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Undefined: there is no such user, or the user has no password. */
  credentials(userId: string): Promise<Credentials | undefined>;
  credentialsByEmail(email: string): Promise<Credentials | undefined>;
  list(page: PageRequest): Promise<Page<User>>;
  rename(userId: string, name: string, nowMs: number): Promise<void>;
  /** Sets the user's password, or adds one, and ends all sessions and reset password links. */
  setPassword(userId: string, password: NewPassword): Promise<void>;
  /**
   * Replaces the password that was checked, and ends all other sessions and all reset password links. False: the
   * password was replaced in the meantime, and nothing is changed.
   */
  changePassword(checked: Credentials, change: PasswordChange): Promise<boolean>;
  /**
   * Removes every way to sign in from an account whose address was never verified, so that a provider that has verified
   * it can be linked. Returns false, and changes nothing, if there is no such account, it is disabled, or it is an
   * administrator's whose address was never verified.
   */
  makeWayForProvider(userId: string, nowMs: number): Promise<boolean>;
}

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

/** Manages the people who may sign in. sign-in.ts handles the sign-in itself. */
export class Users {
  readonly #store: UserStore;
  readonly #clock: Clock;

  constructor(store: UserStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Creates a user. `password` can't be read again later. Throws `invalid_request`, also when the address is taken. */
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
        hasPassword: true,
        isDisabled: false,
        organizationCount: 0,
        createdAt,
      },
      password,
    };
  }

  /** Prepares a user that is stored together with something else. Throws `invalid_request`. */
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
    if (!user) throw notFound('No such user');
    return user;
  }

  /** Throws `not_found`. */
  async byEmail(email: string): Promise<User> {
    const user = await this.find(email);
    if (!user) throw notFound(`No user ${email}`);
    return user;
  }

  find(email: string): Promise<User | undefined> {
    return this.#store.findByEmail(emailKey(email));
  }

  /** Changes the password, and ends all other sessions and all reset password links. Throws `invalid_request`. */
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

  /** Returns a page of all users. Throws `invalid_request`. */
  async list(query: PageQuery): Promise<Page<User>> {
    return this.#store.list(userList.request(query));
  }

  /** Throws `invalid_request`. */
  async rename(userId: string, name: string): Promise<void> {
    await this.#store.rename(userId, validName(name), this.#clock.now());
  }

  /**
   * Generates a new password, which can't be read again later, and ends all sessions and reset password links. Throws
   * `not_found`.
   */
  async resetPassword(
    email: string,
    { removeTotp, provesAddress = false }: { removeTotp: boolean; provesAddress?: boolean },
  ): Promise<{ user: User; password: string }> {
    const user = await this.byEmail(email);
    const password = generatePassword();
    await this.#store.setPassword(user.userId, {
      passwordDigest: await digestPassword(password),
      credentialId: newId(),
      removeTotp,
      provesAddress,
      nowMs: this.#clock.now(),
    });
    return { user: await this.get(user.userId), password };
  }

  /** Prepares an account for a provider that has verified its address. Returns whether the provider may be linked. */
  makeWayForProvider(userId: string): Promise<boolean> {
    return this.#store.makeWayForProvider(userId, this.#clock.now());
  }
}

export const addressTaken = (email: string) =>
  invalidField('email', `A user with the email address ${email} already exists`);

export const wrongPassword = (): ServiceError => invalidField('password', 'The password is wrong');
