import type { Ask, RunDecision, SameAsks } from './ask.ts';
import type { Standing } from './decide.ts';
import type { StoredStandings } from './known-standings.ts';
import type { CountedUnit, LimitStanding, LimitUnit, Units } from './limit.ts';

/** Proof of a granted request. Names the windows and the day to return its units to. */
export interface Reservation extends Ask {
  readonly orgId: string;
  readonly receipt: Receipt;
}

/** Where a flush counted a request that it granted. */
export interface Receipt {
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly monthStartMs: number;
  /** The row of the quota's own window, unless that is the month's requests. */
  readonly window: { readonly kind: string; readonly unit: CountedUnit; readonly startMs: number } | null;
  readonly limits: readonly {
    readonly limitId: string;
    readonly unit: LimitUnit;
    readonly startMs: number;
  }[];
}

/** Units of a reservation that were not used after all. Negative if more was used than reserved. */
export interface Return {
  readonly reservation: Reservation;
  readonly units: Units;
}

export interface LedgerEntry {
  readonly orgId: string;
  /** In order of arrival. */
  readonly runs: readonly SameAsks[];
  readonly returns: readonly Return[];
}

export interface LedgerOutcome {
  /** One for each run of the entry. */
  readonly decided: readonly RunDecision[];
  readonly receipt: Omit<Receipt, 'limits'>;
  readonly standing: Standing;
  /** The limits of the organization, and of the keys and people that ask. Null: the organization has none of any kind. */
  readonly limits: readonly LimitStanding[] | null;
}

export type FlushOutcome = LedgerOutcome | { readonly failedBy: unknown } | 'locked' | undefined;

export function isApplied(outcome: FlushOutcome): outcome is LedgerOutcome {
  return typeof outcome === 'object' && 'decided' in outcome;
}

/** Stores the ledger durably. */
export interface LedgerStore {
  /**
   * Applies all entries, each in one transaction, which is durable when the promise resolves. Each entry belongs to a
   * different organization, and entries are ordered by id. The outcome of an unknown organization is undefined. The
   * outcome is `locked`, and nothing of the entry is applied, if another transaction holds locks on the organization's
   * rows for longer than a flush may take. Throws if all entries fail; the outcome of one that fails alone is
   * `failedBy`.
   */
  flush(entries: readonly LedgerEntry[]): Promise<FlushOutcome[]>;
  /**
   * Returns the quota, and the limits of some scopes; `limits` is null if the organization has none of any kind.
   * Undefined: no such organization.
   */
  standings(orgId: string, scopeIds: readonly string[]): Promise<StoredStandings | undefined>;
  /**
   * Returns a version that changes within a second of a flush by any other process. While it stays the same,
   * remembered standings are current. It need not change for this process's own flushes, which return theirs.
   */
  version(): number;
}
