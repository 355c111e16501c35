import { PagedList } from '../lib/paged-list.ts';
import type { Role } from './access.ts';

export interface Membership {
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export interface Member extends Membership {
  readonly email: string;
  readonly name: string;
  /** When one of the person's sessions was last active, to the hour. Null: there is none. */
  readonly lastSeenAt: number | null;
  /** Whether a provider's claim has made the membership, and no person has changed it since. */
  readonly fromProvider: boolean;
}

/** Roles by organization. */
export type Memberships = ReadonlyMap<string, Role>;

export const memberList = new PagedList('members', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name', 'email address'],
});
