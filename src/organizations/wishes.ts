import { invalidField, invalidRequest, notFound, notSignedIn } from '../errors.ts';
import { validName } from '../keys/key.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Membership } from './members.ts';
import type { Organizations } from './organizations.ts';

/** A member's request for another tier. */
export interface UpgradeRequest {
  readonly upgradeId: string;
  readonly orgId: string;
  readonly userId: string;
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

export type ListedUpgrade = UpgradeRequest & { readonly userName: string; readonly organization: string };
export type ListedAccess = AccessRequest & { readonly userName: string; readonly email: string };

export const wishList = new PagedList('requests of people', {
  orders: { created: 'number' },
  defaultSort: '-created',
});

/** The access requests of a person, those that name an organization, or all. */
export type AccessOf = Partial<Pick<AccessRequest, 'userId' | 'orgId'>>;

export interface WishStore {
  /**
   * Stores an open request in place of the person's earlier one, whose id it gets if they ask for the same. Returns the
   * id, or undefined if the organization or the person was deleted.
   */
  putUpgrade(request: UpgradeRequest): Promise<string | undefined>;
  upgrades(orgId: string, page: PageRequest): Promise<Page<ListedUpgrade>>;
  /** False: the request no longer has the status `from`. */
  setStatus(upgradeId: string, from: UpgradeRequest['status'], to: Decision): Promise<boolean>;
  /** False: the person has no such open request. */
  deleteUpgrade(orgId: string, upgradeId: string, userId: string): Promise<boolean>;
  /** Stores a request as `putUpgrade` does. */
  putAccess(request: AccessRequest): Promise<string | undefined>;
  accesses(of: AccessOf, page: PageRequest): Promise<Page<ListedAccess>>;
  /** Makes the person a member and deletes the request, in one transaction. False: there is no such request. */
  acceptAccess(accessId: string, of: AccessOf, membership: Omit<Membership, 'userId'>): Promise<boolean>;
  deleteAccess(accessId: string, of: AccessOf): Promise<boolean>;
  /** Returns the only organization with this name, in any case of A to Z. */
  organizationNamed(name: string): Promise<string | null>;
  /** Returns the addresses of the administrators and of an organization's owners who can sign in. */
  addresses(orgId: string | null): Promise<string[]>;
}

/** Whether the person has no open request for the same yet. */
interface Asked {
  readonly isNew: boolean;
}

type Decision = Pick<UpgradeRequest, 'status' | 'decidedAt'>;

/** What people ask of those who may decide it: another tier, or to become a member. All methods throw `not_found`. */
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
  async askForTier(orgId: string, userId: string, tier: string): Promise<ListedUpgrade & Asked> {
    this.#organizations.requireTier(tier);
    if ((await this.#organizations.get(orgId)).tier === tier)
      throw invalidField('tier', `The organization already has the tier ${tier}`);
    const made = { upgradeId: newId(), createdAt: this.#clock.now(), decidedAt: null };
    const upgradeId = await this.#store.putUpgrade({ ...made, orgId, userId, tier, status: 'open' });
    return { ...(await this.#upgrade(orgId, upgradeId ?? '')), isNew: upgradeId === made.upgradeId };
  }

  /** Sets the tier if the request is approved. Throws `invalid_request` for a decided request. */
  async decide(orgId: string, upgradeId: string, approve: boolean): Promise<ListedUpgrade> {
    const { tier } = await this.#upgrade(orgId, upgradeId);
    const status = approve ? 'approved' : 'declined';
    // First, so that of two administrators who decide at once only one changes the tier.
    if (!(await this.#store.setStatus(upgradeId, 'open', { status, decidedAt: this.#clock.now() }))) {
      throw invalidRequest('This request is not open any more');
    }
    if (approve) {
      await this.#organizations.setTier(orgId, tier, null).catch(async (reason) => {
        await this.#store.setStatus(upgradeId, status, { status: 'open', decidedAt: null });
        throw reason;
      });
    }
    return this.#upgrade(orgId, upgradeId);
  }

  async withdrawUpgrade(orgId: string, upgradeId: string, userId: string): Promise<void> {
    requireFound(await this.#store.deleteUpgrade(orgId, upgradeId, userId));
  }

  /** Throws `invalid_request`. */
  async askForAccess(userId: string, name: string): Promise<AccessRequest & Asked> {
    const organization = validName(name, 'organization');
    const orgId = await this.#store.organizationNamed(organization);
    const [before] = (await this.#store.accesses({ userId }, wishList.request({}))).data;
    const request = { accessId: newId(), userId, organization, orgId, createdAt: this.#clock.now() };
    const accessId = await this.#store.putAccess(request);
    if (accessId === undefined) throw notSignedIn();
    // The organization may have been created since.
    const isNew = accessId === request.accessId || before?.orgId !== orgId;
    return { ...request, accessId, isNew };
  }

  /** Makes the person a member of the organization. */
  async accept(accessId: string, of: AccessOf, to: Pick<Membership, 'orgId' | 'role'>): Promise<void> {
    requireFound(await this.#store.acceptAccess(accessId, of, { ...to, createdAt: this.#clock.now() }));
  }

  async declineAccess(accessId: string, orgId: string): Promise<void> {
    requireFound(await this.#store.deleteAccess(accessId, { orgId }));
  }

  async #upgrade(orgId: string, upgradeId: string): Promise<ListedUpgrade> {
    const { data } = await this.#store.upgrades(orgId, { ...wishList.request({}), id: upgradeId });
    requireFound(data.length > 0);
    return data[0]!;
  }
}

function requireFound(isFound: boolean): void {
  if (!isFound) throw notFound('No such request');
}
