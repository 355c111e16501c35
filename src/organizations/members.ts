import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { type Role, rolesToGive } from './access.ts';

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
}

export type MemberChange = 'done' | 'not a member' | 'last owner';

export interface MemberStore {
  role(orgId: string, userId: string): Promise<Role | undefined>;
  find(orgId: string, userId: string): Promise<Member | undefined>;
  /** Returns the members of an organization, oldest first. */
  list(orgId: string): Promise<Member[]>;
  /** Returns the memberships of a user, oldest first. */
  of(userId: string): Promise<Membership[]>;
  /** Adds a member. False: the user already is a member and keeps the role. */
  add(membership: Membership): Promise<boolean>;
  /**
   * Changes a member's role; null removes the member. Changes nothing if an organization would lose its last owner who
   * can sign in. In the same transaction, deletes the invitations that the user has sent for roles not in `mayInvite`.
   */
  change(orgId: string, userId: string, role: Role | null, mayInvite: readonly Role[]): Promise<MemberChange>;
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

  list(orgId: string): Promise<Member[]> {
    return this.#store.list(orgId);
  }

  of(userId: string): Promise<Membership[]> {
    return this.#store.of(userId);
  }

  add(orgId: string, userId: string, role: Role): Promise<boolean> {
    return this.#store.add({ orgId, userId, role, createdAt: this.#clock.now() });
  }

  /** Changes a member's role. Throws `not_found`, and `invalid_request` for the last owner. */
  async setRole(orgId: string, userId: string, role: Role): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, role, rolesToGive(role)));
  }

  /** Removes a member. Throws `not_found`, and `invalid_request` for the last owner. */
  async remove(orgId: string, userId: string): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, null, []));
  }
}

const noMember = (): ServiceError => new ServiceError('not_found', 'No such member');

function refuseUndone(change: MemberChange): void {
  if (change === 'not a member') throw noMember();
  if (change === 'last owner') {
    throw new ServiceError(
      'invalid_request',
      'An organization needs an owner who can sign in: make another member an owner first',
      { param: 'role' },
    );
  }
}
