import { invalidField, invalidRequest, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { givable, type Role } from '../organizations/access.ts';

export interface UserChange {
  /** Undefined: unchanged. */
  readonly isAdmin?: boolean | undefined;
  /** Undefined: unchanged. */
  readonly isDisabled?: boolean | undefined;
  /** Whether to revoke the user's API keys in every organization. */
  readonly revokesKeys?: boolean;
}

export type UserRefusal =
  | { readonly kind: 'no user' }
  | { readonly kind: 'last administrator' }
  /** `organizations`: the names of those that would have no owner who can sign in. */
  | { readonly kind: 'last owner'; readonly organizations: readonly string[] };

/** Stores changes of users. Each change is one transaction. Null: the change was made. */
export interface UserChangeStore {
  /**
   * Changes a user. Disabling ends the user's sessions and everything that is pending for them, and deletes the
   * invitations that they have sent. `givable` lists the roles that each role may invite to; a demoted user's
   * invitations to other roles are deleted.
   */
  change(
    userId: string,
    change: UserChange & { readonly nowMs: number },
    givable: Readonly<Record<Role, readonly Role[]>>,
  ): Promise<UserRefusal | null>;
  /** Deletes the user, their memberships, and the invitations that they have sent. */
  delete(
    userId: string,
    options: { readonly revokesKeys: boolean; readonly nowMs: number },
  ): Promise<UserRefusal | null>;
}

const namesShown = 5;

/** Changes and deletes users for administrators. The installation always keeps an administrator who can sign in. */
export class UserChanges {
  readonly #store: UserChangeStore;
  readonly #clock: Clock;

  constructor(store: UserChangeStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Throws `not_found`, and `invalid_request` for the last administrator, or for `revokesKeys` without disabling. */
  async change(userId: string, change: UserChange): Promise<void> {
    if (change.revokesKeys && change.isDisabled !== true) {
      throw invalidField('revoke_keys', 'revoke_keys can only be used with "disabled": true');
    }
    const refusal = await this.#store.change(userId, { ...change, nowMs: this.#clock.now() }, givable);
    if (refusal) throw refused(refusal);
  }

  /** Throws `not_found`, and `invalid_request` for the last administrator or the last owner of an organization. */
  async delete(userId: string, { revokesKeys = false } = {}): Promise<void> {
    const refusal = await this.#store.delete(userId, { revokesKeys, nowMs: this.#clock.now() });
    if (refusal) throw refused(refusal);
  }
}

function refused(refusal: UserRefusal): ServiceError {
  if (refusal.kind === 'no user') return notFound('No such user');
  if (refusal.kind === 'last administrator') {
    return invalidRequest(
      'This is the only administrator who can sign in: make another user an administrator first',
    );
  }
  const { organizations } = refusal;
  const more = organizations.length - namesShown;
  const names = organizations
    .slice(0, namesShown)
    .map((name) => `“${name}”`)
    .join(', ');
  return invalidRequest(
    `This is the last owner of ${names}${more > 0 ? ` and ${more} more` : ''}: ` +
      'make another member an owner first, or delete the organization',
  );
}
