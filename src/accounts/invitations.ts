import { hash, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { rolesThatGive } from './access.ts';
import { addressTaken, type NewUserRecord } from './accounts.ts';
import { validEmail } from './email.ts';
import type { Role } from './roles.ts';

/** An offer to join an organization. Times in milliseconds since the Unix epoch. */
export interface Invitation {
  readonly invitationId: string;
  readonly orgId: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the link was sent to the address, so that who has it also has the address. */
  readonly mailed: boolean;
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Who accepts: a user, or somebody who becomes one. */
export type Guest = { readonly userId: string } | { readonly newUser: NewUserRecord };

export interface InvitationStore {
  /** Replaces an earlier one of the same address to the same organization. False: the organization does not exist. */
  put(invitation: Invitation & { readonly digest: string }): Promise<boolean>;
  /** A step of deleting those that expired before. Returns whether there may be more. */
  pruneExpired(expiredBeforeMs: number): Promise<boolean>;
  /** Newest first, the expired ones as well. */
  list(orgId: string): Promise<Invitation[]>;
  findByDigest(digest: string): Promise<Invitation | undefined>;
  /** To any organization, and not yet expired. */
  isExpected(email: string, nowMs: number): Promise<boolean>;
  /**
   * Turns an invitation into a membership, once, and creates the user where there is none, in one transaction. Members keep their
   * role. `gone`: it was accepted or withdrawn meanwhile, the organization or the guest was deleted, or the user who sent it is
   * disabled, or neither a member with one of the roles `givenBy` nor an administrator. Nothing is created then, nor when the address is taken.
   */
  accept(
    invitation: Invitation,
    guest: Guest,
    givenBy: readonly Role[],
    nowMs: number,
  ): Promise<'accepted' | 'gone' | 'address taken'>;
  /** False: there is none. */
  delete(orgId: string, invitationId: string): Promise<boolean>;
}

const lifetimeMs = 7 * 86_400_000;

export class Invitations {
  readonly #store: InvitationStore;
  readonly #clock: Clock;

  constructor(store: InvitationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `token` makes the link, and is told this once. Throws `invalid_request` and `not_found`. */
  async create(input: {
    orgId: string;
    email: string;
    role: Role;
    invitedBy: string;
    mailed: boolean;
  }): Promise<{ invitation: Invitation; token: string }> {
    const token = randomBytes(32).toString('base64url');
    const nowMs = this.#clock.now();
    const invitation: Invitation = {
      ...input,
      invitationId: newId(),
      email: validEmail(input.email),
      createdAt: nowMs,
      expiresAt: nowMs + lifetimeMs,
    };
    if (!(await this.#store.put({ ...invitation, digest: digestOf(token) }))) {
      throw new ServiceError('not_found', 'No such organization');
    }
    return { invitation, token };
  }

  list(orgId: string): Promise<Invitation[]> {
    return this.#store.list(orgId);
  }

  isExpected(email: string): Promise<boolean> {
    return this.#store.isExpected(email.toLowerCase(), this.#clock.now());
  }

  /** Throws `not_found` for one that is unknown, expired, accepted or taken back: they look the same. */
  async find(token: string): Promise<Invitation> {
    const invitation = await this.#store.findByDigest(digestOf(token));
    if (!invitation || invitation.expiresAt <= this.#clock.now()) throw noInvitation();
    return invitation;
  }

  /** Throws `not_found`, and `invalid_request` when a new user's address is taken. */
  async accept(invitation: Invitation, guest: Guest): Promise<void> {
    const givenBy = rolesThatGive(invitation.role);
    const outcome = await this.#store.accept(invitation, guest, givenBy, this.#clock.now());
    if (outcome === 'address taken') throw addressTaken(invitation.email);
    if (outcome === 'gone') throw noInvitation();
  }

  /** Throws `not_found`. */
  async delete(orgId: string, invitationId: string): Promise<void> {
    if (!(await this.#store.delete(orgId, invitationId))) throw noInvitation();
  }
}

const noInvitation = () =>
  new ServiceError('not_found', 'This invitation is not valid any more: ask for a new one');

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}
