import { invalidField, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Ledger } from './ledger.ts';
import type { Limit, LimitStanding, LimitStore } from './limit.ts';
import type { WindowKind } from './window.ts';

/**
 * A limit to add. `keyId` null: for the organization. Otherwise any key of a chain of rotations, whose keys share it.
 */
export type NewLimit = Pick<Limit, 'keyId' | 'unit' | 'window' | 'amount'> &
  Partial<Pick<Limit, 'maxWaitMs'>>;

/** A key as limits see it. */
interface LimitedKey {
  readonly keyId: string;
  /** The first key of its chain of rotations. Null: the key itself. */
  readonly firstKeyId: string | null;
}

interface Parts {
  readonly store: LimitStore;
  /** Finds a key of an organization. */
  readonly keys: { find(orgId: string, keyId: string): Promise<LimitedKey | undefined> };
  readonly ledger: Ledger;
  readonly clock: Clock;
}

const maxAmount = 1_000_000_000_000;

/** Adds, changes and removes the limits of organizations and their keys. */
export class Limits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds a limit, which applies from the next request on and starts at zero. Throws `not_found` if there is no such
   * organization or key, and `invalid_request` if its scope has a limit of this unit and window.
   */
  async add(
    orgId: string,
    { keyId, unit, window, amount, maxWaitMs = null }: NewLimit,
  ): Promise<LimitStanding> {
    const { store, clock } = this.#parts;
    const limit: Limit = {
      limitId: newId(),
      orgId,
      keyId: await this.#scopeOf(orgId, keyId),
      unit,
      window,
      amount: validAmount(amount),
      maxWaitMs: validWait(maxWaitMs, window),
      createdAt: clock.now(),
    };
    const outcome = await store.insert(limit);
    if (outcome === 'no organization') throw notFound('No such organization');
    if (outcome === 'exists') {
      const scope = keyId === null ? 'organization' : 'key';
      throw invalidField(
        'window',
        `This ${scope} has a limit of ${unit} per ${window}. Change its amount instead`,
      );
    }
    return this.#standing(limit);
  }

  /**
   * Returns the limits of a key, or of the organization itself if `keyId` is null, with what they have counted.
   * Throws `not_found`.
   */
  async list(orgId: string, keyId: string | null): Promise<LimitStanding[]> {
    const scope = await this.#scopeOf(orgId, keyId);
    const limits = await this.#parts.ledger.readLimits(orgId, scope);
    return limits.filter((limit) => limit.keyId === scope);
  }

  /** Returns the limits of the organization, and those of one of its keys. */
  applying(orgId: string, key: LimitedKey | null): Promise<readonly LimitStanding[]> {
    return this.#parts.ledger.readLimits(orgId, key && firstOf(key));
  }

  /**
   * Changes the amount from the next request on. What was used stays used. Throws `not_found` and `invalid_request`.
   */
  async setAmount(orgId: string, limitId: string, amount: number): Promise<LimitStanding> {
    if (!(await this.#parts.store.setAmount(orgId, limitId, validAmount(amount)))) throw noLimit(limitId);
    return this.#standing(await this.find(orgId, limitId));
  }

  /** Throws `not_found`. */
  async remove(orgId: string, limitId: string): Promise<void> {
    if (!(await this.#parts.store.delete(orgId, limitId))) throw noLimit(limitId);
  }

  /** Throws `not_found`. */
  async find(orgId: string, limitId: string): Promise<Limit> {
    const limit = await this.#parts.store.find(orgId, limitId);
    if (!limit) throw noLimit(limitId);
    return limit;
  }

  async #standing({ orgId, keyId, limitId }: Limit): Promise<LimitStanding> {
    const limits = await this.#parts.ledger.readLimits(orgId, keyId);
    const standing = limits.find((limit) => limit.limitId === limitId);
    if (!standing) throw noLimit(limitId);
    return standing;
  }

  async #scopeOf(orgId: string, keyId: string | null): Promise<string | null> {
    if (keyId === null) return null;
    const key = await this.#parts.keys.find(orgId, keyId);
    if (!key) throw notFound(`No such key: ${keyId}`);
    return firstOf(key);
  }
}

function firstOf({ keyId, firstKeyId }: LimitedKey): string {
  return firstKeyId ?? keyId;
}

function validAmount(amount: number): number {
  if (Number.isSafeInteger(amount) && amount >= 1 && amount <= maxAmount) return amount;
  throw invalidField('amount', `amount must be a whole number from 1 to ${maxAmount}`);
}

function validWait(maxWaitMs: number | null, window: WindowKind): number | null {
  if (maxWaitMs === null || window === 'second' || window === 'minute') return maxWaitMs;
  throw invalidField('max_wait_seconds', 'Requests can wait only for a limit per second or minute');
}

function noLimit(limitId: string): ServiceError {
  return notFound(`No such limit: ${limitId}`);
}
