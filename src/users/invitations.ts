import { PagedList } from '../lib/paged-list.ts';
import type { Role } from '../organizations/access.ts';
import type { NewUserRecord } from './user.ts';

/** An offer to join an organization. Times are in milliseconds since the Unix epoch. */
export interface Invitation {
  readonly invitationId: string;
  readonly orgId: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the link was mailed, so that the person who has it also has the address. */
  readonly mailed: boolean;
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The person who accepts: an existing user, or one to create. */
export type Guest = { readonly userId: string } | { readonly newUser: NewUserRecord };

export const invitationList = new PagedList('invitations', {
  orders: { created: 'number' },
  defaultSort: '-created',
});
