import { invalidField, type ServiceError } from '../errors.ts';
import { PagedList } from '../lib/paged-list.ts';

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

export const addressTaken = (email: string) =>
  invalidField('email', `A user with the email address ${email} already exists`);

export const wrongPassword = (): ServiceError => invalidField('password', 'The password is wrong');
