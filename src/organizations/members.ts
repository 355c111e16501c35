import { invalidField, invalidRequest, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { givable, type Role, rolesToGive } from './access.ts';

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

/** `other role`: the member no longer has the role that the change started from. */
export type MemberChange = 'done' | 'not a member' | 'last owner' | 'other role';

/** A member's role before and after a change. `to` null removes the member. */
export interface RoleChange {
  readonly from: Role;
  readonly to: Role | null;
}

export interface MemberStore {
  role(orgId: string, userId: string): Promise<Role | undefined>;
  find(orgId: string, userId: string): Promise<Member | undefined>;
  list(orgId: string, page: PageRequest): Promise<Page<Member>>;
  /** Adds a member. False: the user already is a member and keeps the role. */
  add(membership: Membership): Promise<boolean>;
  /**
   * Changes a member's role, or removes the member. Changes nothing if an organization would lose its last owner who
   * can sign in. In the same transaction, deletes the invitations that the user has sent for roles not in `mayInvite`.
   */
  change(
    orgId: string,
    userId: string,
    change: RoleChange,
    mayInvite: readonly Role[],
  ): Promise<MemberChange>;
  /**
   * Makes the user's memberships that come from the provider exactly `mapped`, in one transaction. Leaves memberships
   * that people have made or changed as they are. Returns the organizations that don't exist, and those that have lost
   * their last owner who can sign in. `givable` lists the roles that each role may invite to; the user's invitations to
   * other roles are deleted.
   */
  setMapped(
    userId: string,
    mapped: Memberships,
    options: { readonly nowMs: number; readonly givable: Readonly<Record<Role, readonly Role[]>> },
  ): Promise<{ readonly missing: readonly string[]; readonly ownerless: readonly string[] }>;
}

/** Manages the members of organizations and their roles. */
export class Members {
  readonly #store: MemberStore;
  readonly #clock: Clock;

  constructor(store: MemberStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  role(orgId: string, userId: string): Promise<Role | undefined> {
    return this.#store.role(orgId, userId);
  }

  /** Throws `not_found`. */
  async get(orgId: string, userId: string): Promise<Member> {
    const member = await this.#store.find(orgId, userId);
    if (!member) throw noMember();
    return member;
  }

  /** Returns a page of an organization's members. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery): Promise<Page<Member>> {
    return this.#store.list(orgId, memberList.request(query, [orgId]));
  }

  add(orgId: string, userId: string, role: Role): Promise<boolean> {
    return this.#store.add({ orgId, userId, role, createdAt: this.#clock.now() });
  }

  /**
   * Changes the role of a member as it was read: what the caller may do can depend on that role. Throws `not_found`,
   * and `invalid_request` for the last owner or if the member has another role by now.
   */
  async setRole({ orgId, userId, role: from }: Membership, to: Role): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, { from, to }, rolesToGive(to)));
  }

  /** Makes the user's memberships that come from the provider exactly these. See `MemberStore.setMapped`. */
  setMapped(userId: string, mapped: Memberships): ReturnType<MemberStore['setMapped']> {
    return this.#store.setMapped(userId, mapped, { nowMs: this.#clock.now(), givable });
  }

  /** Removes a member as they were read. Throws as `setRole` does. */
  async remove({ orgId, userId, role: from }: Membership): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, { from, to: null }, []));
  }
}

const noMember = (): ServiceError => notFound('No such member');

function refuseUndone(change: MemberChange): void {
  if (change === 'not a member') throw noMember();
  if (change === 'other role') {
    throw invalidRequest('The role of this member has just changed. Try again');
  }
  if (change === 'last owner') {
    throw invalidField(
      'role',
      'An organization needs an owner who can sign in: make another member an owner first',
    );
  }
}
