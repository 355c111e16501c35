import { invalidField, notSignedIn, ServiceError } from '../errors.ts';
import { validName } from '../keys/key.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Role } from './access.ts';
import type { Membership } from './members.ts';
import type { Organizations } from './organizations.ts';

/** A member's request for a larger tier. */
export interface UpgradeRequest {
  readonly upgradeId: string;
  readonly orgId: string;
  readonly userId: string;
  /** The tier that the member asks for. */
  readonly tier: string;
  readonly status: 'open' | 'approved' | 'declined';
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

/** A request to become a member, by a person without an organization. */
export interface AccessRequest {
  readonly accessId: string;
  readonly userId: string;
  /** The organization's name as the person typed it. */
  readonly organization: string;
  /** The organization with this name. Null: there is none, or more than one. */
  readonly orgId: string | null;
  readonly createdAt: number;
}

/** An upgrade request with the names to show. */
export interface ListedUpgrade extends UpgradeRequest {
  readonly userName: string;
  readonly organizationName: string;
}

/** An access request with the person who sent it. */
export interface ListedAccess extends AccessRequest {
  readonly userName: string;
  readonly email: string;
}

export const upgradeList = new PagedList('upgrade requests', {
  orders: { created: 'number' },
  defaultSort: '-created',
});

export const accessList = new PagedList('access requests', {
  orders: { created: 'number' },
  defaultSort: '-created',
});

/** The access requests to list: all, those of a person, or those that name an organization. */
export type AccessOf = 'all' | { readonly userId: string } | { readonly orgId: string };

export interface WishStore {
  /**
   * Stores an open request. It replaces the person's earlier one, whose id it gets. Undefined: the organization or the
   * person was deleted.
   */
  putUpgrade(request: UpgradeRequest): Promise<UpgradeRequest | undefined>;
  findUpgrade(orgId: string, upgradeId: string): Promise<ListedUpgrade | undefined>;
  /** Lists an organization's requests or, if `orgId` is null, the open ones of all organizations. */
  listUpgrades(orgId: string | null, page: PageRequest): Promise<Page<ListedUpgrade>>;
  /** False: the request no longer has the status `from`. */
  setStatus(upgradeId: string, from: UpgradeRequest['status'], to: Decision): Promise<boolean>;
  /** False: the person has no such open request. */
  deleteUpgrade(orgId: string, upgradeId: string, userId: string): Promise<boolean>;
  /** Stores a request as `putUpgrade` does. Undefined: the person was deleted. */
  putAccess(request: AccessRequest): Promise<AccessRequest | undefined>;
  listAccess(of: AccessOf, page: PageRequest): Promise<Page<ListedAccess>>;
  /** Makes the person a member and deletes the request, in one transaction. False: there is no such request. */
  acceptAccess(accessId: string, of: AccessOf, membership: Omit<Membership, 'userId'>): Promise<boolean>;
  deleteAccess(accessId: string, of: AccessOf): Promise<boolean>;
  /** Returns the only organization with this name, in any case of A to Z. */
  organizationNamed(name: string): Promise<string | null>;
  /** Returns the addresses of the administrators and of an organization's owners who can sign in. */
  addresses(orgId: string | null): Promise<string[]>;
}

export interface Decision {
  readonly status: UpgradeRequest['status'];
  readonly decidedAt: number | null;
}

/** What people ask of those who may decide it: a larger tier, or to become a member. */
export class Wishes {
  readonly #store: WishStore;
  readonly #organizations: Organizations;
  readonly #clock: Clock;

  constructor(store: WishStore, organizations: Organizations, clock: Clock) {
    this.#store = store;
    this.#organizations = organizations;
    this.#clock = clock;
  }

  /** Throws `invalid_request` for a tier that does not exist or that the organization has. */
  async askForTier(orgId: string, userId: string, tier: string): Promise<ListedUpgrade> {
    const organization = await this.#organizations.get(orgId);
    this.#organizations.requireTier(tier);
    if (organization.tier === tier)
      throw invalidField('tier', `The organization already has the tier ${tier}`);
    const request = { upgradeId: newId(), orgId, userId, tier, status: 'open' as const };
    const stored = await this.#store.putUpgrade({
      ...request,
      createdAt: this.#clock.now(),
      decidedAt: null,
    });
    return this.#upgrade(orgId, stored?.upgradeId ?? '');
  }

  /** Throws `invalid_request`. */
  async upgrades(orgId: string | null, query: PageQuery): Promise<Page<ListedUpgrade>> {
    return this.#store.listUpgrades(orgId, upgradeList.request(query, [orgId]));
  }

  /** Sets the tier if the request is approved. Throws `not_found`, and `invalid_request` for a decided request. */
  async decide(orgId: string, upgradeId: string, approve: boolean): Promise<ListedUpgrade> {
    const { tier } = await this.#upgrade(orgId, upgradeId);
    const status = approve ? 'approved' : 'declined';
    // First, so that of two administrators who decide at once only one changes the tier.
    const decision = { status, decidedAt: this.#clock.now() } as const;
    if (!(await this.#store.setStatus(upgradeId, 'open', decision))) {
      throw new ServiceError('invalid_request', 'This request has already been decided');
    }
    if (approve) {
      await this.#organizations.setTier(orgId, tier, null).catch(async (reason) => {
        await this.#store.setStatus(upgradeId, status, { status: 'open', decidedAt: null });
        throw reason;
      });
    }
    return this.#upgrade(orgId, upgradeId);
  }

  /** Throws `not_found`. */
  async withdrawUpgrade(orgId: string, upgradeId: string, userId: string): Promise<void> {
    if (!(await this.#store.deleteUpgrade(orgId, upgradeId, userId))) throw noRequest();
  }

  /** Throws `invalid_request`. */
  async askForAccess(userId: string, name: string): Promise<AccessRequest> {
    const organization = validName(name, 'organization');
    const orgId = await this.#store.organizationNamed(organization);
    const request = { accessId: newId(), userId, organization, orgId, createdAt: this.#clock.now() };
    const stored = await this.#store.putAccess(request);
    if (!stored) throw notSignedIn();
    return stored;
  }

  /** Throws `invalid_request`. */
  async accesses(of: AccessOf, query: PageQuery): Promise<Page<ListedAccess>> {
    const owner = of === 'all' ? null : Object.entries(of).join();
    return this.#store.listAccess(of, accessList.request(query, [owner]));
  }

  /** Makes the person a member of the organization. Throws `not_found`. */
  async accept(
    accessId: string,
    of: AccessOf,
    { orgId, role }: { orgId: string; role: Role },
  ): Promise<void> {
    const membership = { orgId, role, createdAt: this.#clock.now() };
    if (!(await this.#store.acceptAccess(accessId, of, membership))) throw noRequest();
  }

  /** Throws `not_found`. */
  async deleteAccess(accessId: string, of: AccessOf): Promise<void> {
    if (!(await this.#store.deleteAccess(accessId, of))) throw noRequest();
  }

  /** Returns who to mail about a request. */
  addresses(orgId: string | null): Promise<string[]> {
    return this.#store.addresses(orgId);
  }

  async #upgrade(orgId: string, upgradeId: string): Promise<ListedUpgrade> {
    const found = await this.#store.findUpgrade(orgId, upgradeId);
    if (!found) throw noRequest();
    return found;
  }
}

const noRequest = () => new ServiceError('not_found', 'No such request');
