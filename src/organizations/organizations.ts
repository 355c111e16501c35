import { invalidField, notFound, notSignedIn, ServiceError } from '../errors.ts';
import { validName } from '../keys/key.ts';
import type { Keys, OrganizationForTokens, TokenChange } from '../keys/keys.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';
import type { Page, PageQuery, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import { type QuotaLimit, standardTiers, type Tier, type Tiers } from '../quota/tiers.ts';

/** `custom` is the limit agreed with the organization, if its tier allows one; null means the tier's own limit. */
export interface Organization extends OrganizationForTokens {
  readonly name: string;
  readonly custom: QuotaLimit | null;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export const organizationList = new PagedList('organizations', {
  orders: { created: 'number', name: 'text' },
  defaultSort: 'created',
  searched: ['name'],
});

export interface OrganizationStore {
  /** Adds an organization, with its first owner if there is one. False: the owner was deleted; nothing is added. */
  insert(organization: Organization, ownerId?: string): Promise<boolean>;
  /**
   * Inserts the very first organization of an installation and marks its first start as pending. False: there was one
   * before.
   */
  insertFirst(organization: Organization): Promise<boolean>;
  /** Returns the organization whose first start is pending. */
  findFirst(): Promise<Organization | undefined>;
  /** Marks the first start as done. */
  finishFirst(): Promise<void>;
  /** Returns the fingerprint of the AUTH_SECRET that the data was last used with. Null: none is known. */
  authFingerprint(): Promise<string | null>;
  setAuthFingerprint(fingerprint: string): Promise<void>;
  find(orgId: string): Promise<Organization | undefined>;
  list(page: PageRequest): Promise<Page<Organization>>;
  /** Returns the names of the tiers that organizations have. */
  tiersInUse(): Promise<string[]>;
  /** False: no such organization. */
  rename(orgId: string, name: string): Promise<boolean>;
  /** Returns the secret that the organization's cache keys are derived from. */
  cacheSecret(orgId: string): Promise<string | undefined>;
  /** Replaces the secret by a new one. False: no such organization. */
  replaceCacheSecret(orgId: string): Promise<boolean>;
  /** Deletes some of the organization's ended keys and finished deliveries. Returns whether there may be more. */
  deleteEnded(orgId: string, nowMs: number): Promise<boolean>;
  /**
   * Deletes the organization and everything but its usage, in one transaction. `DeletionStore` deletes the usage
   * afterwards. False: no such organization.
   */
  delete(orgId: string): Promise<boolean>;
  /**
   * Applies the change in one transaction if the organization is still at `revision`; otherwise returns false and
   * changes nothing.
   */
  setTier(
    orgId: string,
    revision: number,
    tier: string,
    custom: QuotaLimit | null,
    tokens: readonly TokenChange[],
  ): Promise<boolean>;
}

export interface NewOrganization {
  readonly name: string;
  /** Undefined: the installation's default. */
  readonly tier?: string | undefined;
  readonly custom?: QuotaLimit | null;
}

const maxLimit = 1_000_000_000_000;
const maxAttempts = 20;

export class Organizations {
  readonly #store: OrganizationStore;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #tiers: Tiers;
  #deleted: () => void = () => {};

  constructor(store: OrganizationStore, keys: Keys, clock: Clock, tiers = standardTiers) {
    this.#store = store;
    this.#keys = keys;
    this.#clock = clock;
    this.#tiers = tiers;
  }

  /**
   * Creates an organization, with its first owner if there is one. Throws `invalid_request`, and `not_signed_in` when
   * the owner was deleted.
   */
  async create(input: NewOrganization, ownerId?: string): Promise<Organization> {
    const organization = this.#new(input);
    if (!(await this.#store.insert(organization, ownerId))) throw notSignedIn();
    return organization;
  }

  /**
   * Creates the very first organization of an installation. Undefined: there was one before. Throws `invalid_request`.
   */
  async createFirst(input: NewOrganization): Promise<Organization | undefined> {
    const organization = this.#new(input);
    return (await this.#store.insertFirst(organization)) ? organization : undefined;
  }

  /** Returns the organization of a first start that was interrupted. */
  findFirst(): Promise<Organization | undefined> {
    return this.#store.findFirst();
  }

  /** Marks the first start as done, so that no later start completes it. */
  finishFirst(): Promise<void> {
    return this.#store.finishFirst();
  }

  /** Throws `not_found`. */
  async get(orgId: string): Promise<Organization> {
    const organization = await this.#store.find(orgId);
    if (!organization) throw noOrganization(orgId);
    return organization;
  }

  async exists(orgId: string): Promise<boolean> {
    return (await this.#store.find(orgId)) !== undefined;
  }

  /** Returns a page of all organizations. Throws `invalid_request`. */
  async list(query: PageQuery): Promise<Page<Organization>> {
    return this.#store.list(organizationList.request(query));
  }

  /** Throws `invalid_request` and `not_found`. */
  async rename(orgId: string, name: string): Promise<void> {
    if (!(await this.#store.rename(orgId, validName(name)))) throw noOrganization(orgId);
  }

  /** Throws `not_found`. */
  async cacheSecret(orgId: string): Promise<string> {
    const secret = await this.#store.cacheSecret(orgId);
    if (secret === undefined) throw noOrganization(orgId);
    return secret;
  }

  /**
   * Makes the organization's cached vectors unreadable, in memory and on disk, because only the old secret finds and
   * decrypts them. They are deleted when the cache needs their room. Throws `not_found`.
   */
  async purgeVectors(orgId: string): Promise<void> {
    if (!(await this.#store.replaceCacheSecret(orgId))) throw noOrganization(orgId);
  }

  /**
   * Deletes the organization. Its keys are refused from the next request on. Its usage is no longer readable, and is
   * deleted afterwards. Its cached vectors can't be decrypted any more. Throws `not_found`.
   */
  async delete(orgId: string): Promise<void> {
    // There may be many ended keys and deliveries. Deleting them first keeps the transaction that follows short.
    await inSteps(() => this.#store.deleteEnded(orgId, this.#clock.now()));
    if (!(await this.#store.delete(orgId))) throw noOrganization(orgId);
    this.#deleted();
  }

  /** Calls `listener` after each deletion by this process. */
  onDeleted(listener: () => void): void {
    this.#deleted = listener;
  }

  /**
   * Changes the tier from the next request on, and re-signs all valid tokens in the same transaction. Requests counted
   * so far stay counted.
   */
  async setTier(orgId: string, tier: string, custom: QuotaLimit | null): Promise<Organization> {
    const agreed = this.#validCustom(tier, custom);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const organization = await this.get(orgId);
      const tokens = await this.#keys.tokensFor(organization, tier);
      if (await this.#store.setTier(orgId, organization.revision, tier, agreed, tokens)) {
        return { ...organization, tier, custom: agreed, revision: organization.revision + 1 };
      }
    }
    throw new ServiceError('unavailable', `Organization ${orgId} is being changed by others; try again`);
  }

  #new({ name, tier = this.#tiers.default, custom = null }: NewOrganization): Organization {
    return {
      orgId: newId(),
      name: validName(name),
      tier,
      custom: this.#validCustom(tier, custom),
      createdAt: this.#clock.now(),
      revision: 1,
    };
  }

  /** Throws `invalid_request` for a tier that does not exist. */
  requireTier(name: string): Tier {
    const tier = this.#tiers.find(name);
    if (!tier) throw invalidField('tier', `tier must be one of ${this.#tiers.names.join(', ')}`);
    return tier;
  }

  /** Throws `invalid_request` for a tier that does not exist, and for a limit that the tier does not allow. */
  #validCustom(name: string, custom: QuotaLimit | null): QuotaLimit | null {
    const tier = this.requireTier(name);
    if (custom === null) return null;
    if (!tier.takesCustomLimit) {
      const others = this.#tiers.all.filter(({ takesCustomLimit }) => takesCustomLimit);
      const names = others.map((other) => other.name).join(' or ') || 'with custom limits';
      throw invalidField('limit', `A custom limit needs the tier ${names}, not ${name}`);
    }
    const { amount } = custom;
    if (amount === null || !Number.isSafeInteger(amount) || amount < 0 || amount > maxLimit) {
      throw invalidField('limit', `limit must be a whole number from 0 to ${maxLimit}`);
    }
    return custom;
  }
}

const noOrganization = (orgId: string) => notFound(`No organization ${orgId}`);
