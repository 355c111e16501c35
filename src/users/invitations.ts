import { hash, randomBytes } from 'node:crypto';
import { notFound } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { emailKey, validEmail } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { type Role, rolesThatGive } from '../organizations/access.ts';
import { addressTaken, type NewUserRecord } from './users.ts';

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

export interface InvitationStore {
  /**
   * Stores an invitation and replaces an earlier one for the same address and organization. False: no such
   * organization.
   */
  put(invitation: Invitation & { readonly digest: string }): Promise<boolean>;
  /** Deletes some of the invitations that expired before. Returns whether there may be more. */
  pruneExpired(expiredBeforeMs: number): Promise<boolean>;
  /** Includes expired invitations. */
  list(orgId: string, page: PageRequest): Promise<Page<Invitation>>;
  findByDigest(digest: string): Promise<Invitation | undefined>;
  /** Reports whether any organization has invited the address, and the invitation has not expired. */
  isExpected(email: string, nowMs: number): Promise<boolean>;
  /**
   * Turns an invitation into a membership, once, and creates the user if needed, in one transaction. Existing members
   * keep their role. `gone` means that the invitation was accepted or withdrawn in the meantime, that the organization
   * or the guest was deleted, or that the sender is disabled, or is neither an administrator nor a member with one of
   * the roles `givenBy`. Unless it is accepted, nothing is created.
   */
  accept(
    invitation: Invitation,
    guest: Guest,
    givenBy: readonly Role[],
    nowMs: number,
  ): Promise<'accepted' | 'gone' | 'address taken'>;
  /** False: no such invitation. */
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

  /**
   * Creates an invitation. `token` is part of the link and can't be read again later. Throws `invalid_request` and
   * `not_found`.
   */
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
      throw notFound('No such organization');
    }
    return { invitation, token };
  }

  /** Returns a page of an organization's invitations, including expired ones. Throws `invalid_request`. */
  async list(orgId: string, query: PageQuery): Promise<Page<Invitation>> {
    return this.#store.list(orgId, invitationList.request(query, [orgId]));
  }

  isExpected(email: string): Promise<boolean> {
    return this.#store.isExpected(emailKey(email), this.#clock.now());
  }

  /**
   * Throws `not_found` for an invitation that is unknown, expired, accepted or withdrawn, without distinguishing them.
   */
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

const noInvitation = () => notFound('This invitation is no longer valid: ask for a new one');

function digestOf(token: string): string {
  return hash('sha256', token, 'hex');
}
