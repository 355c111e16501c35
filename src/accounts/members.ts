import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { rolesToGive } from './access.ts';
import type { Role } from './roles.ts';

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
  /** Of an organization, oldest first. */
  list(orgId: string): Promise<Member[]>;
  /** Of a user, oldest first. */
  of(userId: string): Promise<Membership[]>;
  /** False: the user is a member already, and keeps the role. */
  add(membership: Membership): Promise<boolean>;
  /**
   * `role` null removes. Changes nothing where no owner who can sign in would be left of an organization that has one. Deletes the invitations
   * that the user has sent to roles other than `mayInvite`, in the same transaction.
   */
  change(orgId: string, userId: string, role: Role | null, mayInvite: readonly Role[]): Promise<MemberChange>;
}

/** Who belongs to an organization, and as what. */
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

  list(orgId: string): Promise<Member[]> {
    return this.#store.list(orgId);
  }

  of(userId: string): Promise<Membership[]> {
    return this.#store.of(userId);
  }

  add(orgId: string, userId: string, role: Role): Promise<boolean> {
    return this.#store.add({ orgId, userId, role, createdAt: this.#clock.now() });
  }

  /** Throws `not_found`, and `invalid_request` for the last owner. */
  async setRole(orgId: string, userId: string, role: Role): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, role, rolesToGive(role)));
  }

  /** Throws `not_found`, and `invalid_request` for the last owner. */
  async remove(orgId: string, userId: string): Promise<void> {
    refuseUndone(await this.#store.change(orgId, userId, null, []));
  }
}

function refuseUndone(change: MemberChange): void {
  if (change === 'not a member') throw new ServiceError('not_found', 'No such member');
  if (change === 'last owner') {
    throw new ServiceError(
      'invalid_request',
      'An organization needs an owner who can sign in: make another member an owner first',
      { param: 'role' },
    );
  }
}
