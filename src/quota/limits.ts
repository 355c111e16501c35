import { invalidField, notFound, type ServiceError } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { holderOf } from './exceeded.ts';
import type { Ledger } from './ledger.ts';
import {
  type Limit,
  type LimitScope,
  type LimitStanding,
  type LimitStore,
  ownScope,
  scopeIdOf,
} from './limit.ts';
import type { WindowKind } from './window.ts';

/** A scope as callers name it: with any key of a chain of rotations, whose keys share their limits. */
type NamedScope = Partial<LimitScope>;

/** A limit to add. */
export type NewLimit = Pick<Limit, 'unit' | 'window' | 'amount'> &
  NamedScope &
  Partial<Pick<Limit, 'maxWaitMs'>>;

/** A key as limits see it. */
interface LimitedKey {
  readonly keyId: string;
  readonly userId: string;
  /** The first key of its chain of rotations. Null: the key itself. */
  readonly firstKeyId: string | null;
}

interface Parts {
  readonly store: LimitStore;
  /** Finds a key of an organization. */
  readonly keys: { find(orgId: string, keyId: string): Promise<LimitedKey | undefined> };
  readonly members: { role(orgId: string, userId: string): Promise<unknown> };
  readonly ledger: Ledger;
  readonly clock: Clock;
}

const maxAmount = 1_000_000_000_000;

/** Adds, changes and removes the limits of organizations, their keys and their members. */
export class Limits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Adds a limit, which applies from the next request on and starts at zero. Throws `not_found` if there is no such
   * organization, key or member, and `invalid_request` if its scope has a limit of this unit and window.
   */
  async add(
    orgId: string,
    { unit, window, amount, maxWaitMs = null, ...named }: NewLimit,
  ): Promise<LimitStanding> {
    const { store, members, clock } = this.#parts;
    const scope = await this.#scopeOf(orgId, named);
    if (scope.userId !== null && !(await members.role(orgId, scope.userId)))
      throw notFound(`No such member: ${scope.userId}`);
    const limit: Limit = {
      limitId: newId(),
      orgId,
      ...scope,
      unit,
      window,
      amount: validAmount(amount),
      maxWaitMs: validWait(maxWaitMs, window),
      createdAt: clock.now(),
    };
    const outcome = await store.insert(limit);
    if (outcome === 'no organization') throw notFound('No such organization');
    if (outcome === 'exists') {
      const who = limit.appliesTo === 'new_keys' ? 'New keys have' : `This ${holderOf(limit)} has`;
      throw invalidField('window', `${who} a limit of ${unit} per ${window}. Change its amount instead`);
    }
    return this.#standing(limit);
  }

  /** Returns the limits of a scope, with what they have counted. Throws `not_found`. */
  async list(orgId: string, named: NamedScope): Promise<readonly LimitStanding[]> {
    const scope = await this.#scopeOf(orgId, named);
    return this.#parts.ledger.readLimits(orgId, [scopeIdOf(scope)]);
  }

  /** Returns the limits of the organization, and those that apply to one of its keys. */
  applying(orgId: string, key: LimitedKey | null): Promise<readonly LimitStanding[]> {
    return this.#parts.ledger.readLimits(orgId, [ownScope, ...(key ? [firstOf(key), key.userId] : [])]);
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

  async #standing(limit: Limit): Promise<LimitStanding> {
    const { orgId, limitId } = limit;
    const limits = await this.#parts.ledger.readLimits(orgId, [scopeIdOf(limit)]);
    const standing = limits.find((one) => one.limitId === limitId);
    if (!standing) throw noLimit(limitId);
    return standing;
  }

  async #scopeOf(orgId: string, named: NamedScope): Promise<LimitScope> {
    const { keyId = null, userId = null, appliesTo = 'requests' } = named;
    if ([keyId !== null, userId !== null, appliesTo === 'new_keys'].filter(Boolean).length > 1)
      throw invalidField(
        'key_id',
        'A limit applies to one key, to one member or to new keys, not to several of them',
      );
    if (keyId === null) return { keyId, userId, appliesTo };
    const key = await this.#parts.keys.find(orgId, keyId);
    if (!key) throw notFound(`No such key: ${keyId}`);
    return { keyId: firstOf(key), userId, appliesTo };
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
