import type { LimitWindow, Window, WindowKind } from './window.ts';

/** The units that a tier's quota can have. */
export const quotaUnits = ['requests', 'texts', 'tokens'] as const;

/** The units that a decision counts. `cost`: in millionths of the currency that the settings file states. */
export const countedUnits = [...quotaUnits, 'cost'] as const;
export type CountedUnit = (typeof countedUnits)[number];

/** `requests_at_once`: requests in progress. Such a limit has the window `none`. See src/quota/at-once.ts. */
export const limitUnits = [...countedUnits, 'requests_at_once'] as const;

/** The unit of a limit. */
export type LimitUnit = (typeof limitUnits)[number];

/**
 * What a request uses up. `requests` is 0 for a further part of a request that has been counted. `requests_at_once` is
 * always 0, because no decision counts it. The others are of the texts to compute.
 */
export type Units = Readonly<Record<LimitUnit, number>>;

export const noUnits: Units = { requests: 0, texts: 0, tokens: 0, cost: 0, requests_at_once: 0 };

/** Returns a number of units as sentences have it. The currency is left out, because an installation has only one. */
export const amountOf = (unit: LimitUnit, count: number, withUnit = true): string =>
  unit === 'cost'
    ? `${withUnit ? 'a cost of ' : ''}${(count / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 6 })}`
    : `${count.toLocaleString('en-US')}${withUnit ? ` ${unit}` : ''}`;

/** Returns the numbers in the order of `countedUnits`. */
export const valuesOf = (units: Units): number[] => countedUnits.map((unit) => units[unit]);

/** `new_keys`: the limit counts nothing, and every key that is created gets one like it. */
export const limitUses = ['requests', 'new_keys'] as const;

/** Whose requests a limit counts: without an id, all those of the organization. At most one of the ids is not null. */
export interface LimitScope {
  /** The first key of the chain of rotations whose keys share the limit. */
  readonly keyId: string | null;
  /** The user of the keys that send the requests, or the person who sends them with a session. */
  readonly userId: string | null;
  readonly appliesTo: (typeof limitUses)[number];
}

/** The scope of all requests of an organization. */
export const ownScope = '';

/** Returns the id of a scope, which is unique in its organization. `scopeId` in src/quota/stored-limits.ts is the same in SQL. */
export function scopeIdOf({ keyId, userId, appliesTo }: LimitScope): string {
  if (userId !== null) return userScope(userId);
  return keyId ?? (appliesTo === 'requests' ? ownScope : appliesTo);
}

/** Returns the id of the scope of a user, whose own id can be any text. */
export const userScope = (userId: string): string => `user ${userId}`;

/**
 * Who has set a limit. Only the settings file changes a limit of the tier, and only those who administer the
 * installation change one of the operator. The managers of an organization change the limits that it has set.
 */
export const limitSetters = ['tier', 'operator', 'organization'] as const;
export type LimitSetter = (typeof limitSetters)[number];

/** The most units that a limit or a quota can have in a window. */
export const maxAmount = 1_000_000_000_000;

/** A limit beside the quota of the tier. Any number of them can apply to a request. */
export interface Limit extends LimitScope {
  readonly limitId: string;
  readonly orgId: string;
  readonly unit: LimitUnit;
  readonly window: LimitWindow;
  /** Units per window, or at a time. */
  readonly amount: number;
  /** How long a request waits for the next window before it is refused. Null: it doesn't wait. */
  readonly maxWaitMs: number | null;
  readonly setBy: LimitSetter;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** A limit and the units used in its current window. */
export interface LimitStanding
  extends LimitScope,
    Pick<Limit, 'limitId' | 'unit' | 'window' | 'amount' | 'maxWaitMs'> {
  readonly used: number;
  readonly startMs: number;
  readonly resetsAtMs: Window['endMs'];
}

/** A limit of what a window uses up, and not of what is in progress. */
export type WindowedLimit = LimitStanding & { readonly unit: CountedUnit; readonly window: WindowKind };

export const isWindowed = <L extends LimitStanding>(limit: L): limit is L & WindowedLimit =>
  limit.window !== 'none';

/** A limit as lists have it. */
export type ListedLimit = LimitStanding & Pick<Limit, 'setBy'>;

/** A limit that a tier gives each of its organizations, or their keys. */
export type LimitOfTier = Pick<Limit, 'appliesTo' | 'unit' | 'window' | 'amount' | 'maxWaitMs'>;

/** A limit to add. It names a scope as callers do: with any key of a chain of rotations. */
export type NewLimit = Pick<Limit, 'unit' | 'window' | 'amount'> &
  Partial<LimitScope & Pick<Limit, 'maxWaitMs' | 'setBy'>>;
