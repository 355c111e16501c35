import { isDeepStrictEqual } from 'node:util';
import { invalidField, ServiceError } from '../errors.ts';
import { validName } from '../keys/key.ts';
import type { Keys } from '../keys/keys.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { inSteps } from '../lib/in-steps.ts';
import { maxAmount } from '../quota/limit.ts';
import { type QuotaLimit, standardTiers, type Tier, type Tiers } from '../quota/tiers.ts';
import type { Organization } from './organization.ts';
import type { organizationsIn } from './stored-organizations.ts';

export interface NewOrganization {
  readonly name: string;
  /** Undefined: the installation's default. */
  readonly tier?: string | undefined;
  readonly custom?: QuotaLimit | null;
  readonly externalId?: string | undefined;
}

/** What a call by external id states. Undefined: as it is, or for a new organization the default. */
export interface PutOrganization {
  readonly name: string;
  readonly tier?: string | undefined;
  readonly custom?: QuotaLimit | null | undefined;
  readonly suspended?: string | null | undefined;
}

const maxAttempts = 20;

type Stored = ReturnType<typeof organizationsIn>;

/** Returns the organizations with what needs the tiers and the keys' signatures. */
export function organizationsWith(stored: Stored, keys: Keys, clock: Clock, tiers: Tiers = standardTiers) {
  let notifyDeleted: () => void = () => {};

  /** Throws `invalid_request` for a tier that does not exist. */
  const requireTier = (name: string): Tier => {
    const tier = tiers.find(name);
    if (!tier) throw invalidField('tier', `tier must be one of ${tiers.names.join(', ')}`);
    return tier;
  };

  /** Throws `invalid_request` for a tier that does not exist, and for a limit that the tier does not allow. */
  const validCustom = (name: string, custom: QuotaLimit | null): QuotaLimit | null => {
    const tier = requireTier(name);
    if (custom === null) return null;
    if (!tier.takesCustomLimit) {
      const others = tiers.all.filter(({ takesCustomLimit }) => takesCustomLimit);
      const names = others.map((other) => other.name).join(' or ') || 'with custom limits';
      throw invalidField('limit', `A custom limit needs the tier ${names}, not ${name}`);
    }
    const { amount } = custom;
    if (amount === null || !Number.isSafeInteger(amount) || amount < 0 || amount > maxAmount) {
      throw invalidField('limit', `limit must be a whole number from 0 to ${maxAmount}`);
    }
    return custom;
  };

  const organizationOf = ({
    name,
    tier = tiers.default,
    custom = null,
    externalId,
  }: NewOrganization): Organization => ({
    orgId: newId(),
    name: validName(name),
    tier,
    custom: validCustom(tier, custom),
    createdAt: clock.now(),
    revision: 1,
    externalId: externalId === undefined ? null : validName(externalId, 'external_id'),
    suspended: null,
  });

  /**
   * Changes the tier from the next request on, and re-signs all valid tokens in the same transaction. Requests counted
   * so far stay counted. Throws `invalid_request` and `not_found`.
   */
  const setTier = async (orgId: string, tier: string, custom: QuotaLimit | null): Promise<Organization> => {
    const agreed = validCustom(tier, custom);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const organization = await stored.get(orgId);
      const tokens = await keys.tokensFor(organization, tier);
      if (await stored.setTier(organization, tier, agreed, tokens)) {
        return { ...organization, tier, custom: agreed, revision: organization.revision + 1 };
      }
    }
    throw new ServiceError('unavailable', `Organization ${orgId} is being changed by others; try again`);
  };

  /**
   * Creates an organization, with its first owner if there is one. Throws `invalid_request`, and `not_signed_in` when
   * the owner was deleted.
   */
  const create = async (input: NewOrganization, ownerId?: string): Promise<Organization> => {
    const organization = organizationOf(input);
    await stored.insert(organization, ownerId);
    return organization;
  };

  return {
    ...stored,
    requireTier,

    create,

    /** Creates the very first organization of an installation. Undefined: there was one before. */
    async createFirst(input: NewOrganization): Promise<Organization | undefined> {
      const organization = organizationOf(input);
      return (await stored.insertFirst(organization)) ? organization : undefined;
    },

    /**
     * Deletes the organization. Its keys are refused from the next request on. Its usage is no longer readable, and is
     * deleted afterwards. Its cached vectors can't be decrypted any more. Throws `not_found`.
     */
    async delete(orgId: string): Promise<void> {
      // There may be many ended keys and deliveries. Deleting them first keeps the transaction that follows short.
      await inSteps(() => stored.deleteEnded(orgId));
      await stored.delete(orgId);
      notifyDeleted();
    },

    /** Calls `listener` after each deletion by this process. */
    onDeleted(listener: () => void): void {
      notifyDeleted = listener;
    },

    setTier,

    /**
     * Creates the organization with an external id, or changes it. The same call twice has the same result. Throws
     * `invalid_request`.
     */
    async put(given: string, wanted: PutOrganization): Promise<Organization> {
      const externalId = validName(given, 'external_id');
      const { tier: asked, custom: agreed = null } = wanted;
      // First, so that a call that is refused changes nothing.
      const name = validName(wanted.name);
      if (wanted.suspended != null) validName(wanted.suspended, 'suspended');
      // If two calls come at the same time, one of them creates it.
      const found =
        (await stored.named(externalId)) ??
        (await create({ name, tier: asked, custom: agreed, externalId }).catch(async (reason) => {
          const other = await stored.named(externalId);
          if (!other) throw reason;
          return other;
        }));
      const { orgId } = found;
      const { tier = found.tier, custom = tier === found.tier ? found.custom : null } = wanted;
      if (tier !== found.tier || !isDeepStrictEqual(custom, found.custom)) await setTier(orgId, tier, custom);
      await stored.change(orgId, { name, suspended: wanted.suspended });
      return stored.get(orgId);
    },
  };
}

export type Organizations = ReturnType<typeof organizationsWith>;
