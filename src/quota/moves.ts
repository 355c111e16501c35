import { type Ask, countOf, scopesOf } from './ask.ts';
import type { Standing } from './decide.ts';
import {
  type FlushOutcome,
  isApplied,
  type LedgerEntry,
  type LedgerOutcome,
  type Reservation,
  type Return,
} from './ledger-store.ts';
import { countedUnits, type LimitStanding, scopeIdOf, type Units } from './limit.ts';

/** What waits for a flush: a request that asks to be counted, or the return of one. */
export type Move = { readonly orgId: string } & (
  | { readonly ask: Ask; readonly giveBack: null }
  | { readonly ask: null; readonly giveBack: Return }
);

export type Decision =
  | { readonly kind: 'granted'; readonly reservation: Reservation }
  | { readonly kind: 'refused'; readonly by: Standing | LimitStanding }
  | { readonly kind: 'returned' | 'locked' | 'unknown organization' }
  | { readonly kind: 'failed'; readonly by: unknown };

const returned: Decision = { kind: 'returned' };

type ChangingRun = { readonly ask: Ask; count: number };

/**
 * Returns one entry per organization, ordered by id so that replicas lock rows in the same order and can't deadlock.
 */
export function entriesOf(moves: readonly Move[]): LedgerEntry[] {
  const byOrg = new Map<string, { orgId: string; runs: ChangingRun[]; returns: Return[] }>();
  for (const { orgId, ask, giveBack } of moves) {
    let entry = byOrg.get(orgId);
    if (!entry) {
      entry = { orgId, runs: [], returns: [] };
      byOrg.set(orgId, entry);
    }
    if (giveBack) entry.returns.push(giveBack);
    else addTo(entry.runs, ask);
  }
  return [...byOrg.values()].sort((a, b) => (a.orgId < b.orgId ? -1 : 1));
}

function addTo(runs: ChangingRun[], ask: Ask): void {
  const last = runs.at(-1);
  if (last && isSameAsk(last.ask, ask)) last.count += 1;
  else runs.push({ ask, count: 1 });
}

function isSameAsk(a: Ask, b: Ask): boolean {
  // A key never changes its chain of rotations, and can change its user.
  const isSameSender = a.keyId === b.keyId && a.limitsUserId === b.limitsUserId;
  return isSameSender && a.model === b.model && areEqual(a.units, b.units);
}

function areEqual(a: Units, b: Units): boolean {
  return countedUnits.every((unit) => a[unit] === b[unit]);
}

interface EntryDecisions {
  readonly ofReturns: Decision;
  /** In order of arrival. */
  readonly ofAsks: readonly Decision[];
  /** The place in `ofAsks` of the next ask. */
  next: number;
}

/** Returns the decisions of the moves, in their order. `outcomes` are those of `entries`. */
export function decisionsOf(
  moves: readonly Move[],
  entries: readonly LedgerEntry[],
  outcomes: readonly FlushOutcome[],
): Decision[] {
  const byOrg = new Map(entries.map((entry, i) => [entry.orgId, decisionsOfEntry(entry, outcomes[i])]));
  return moves.map(({ orgId, giveBack }) => {
    const decisions = byOrg.get(orgId)!;
    return giveBack ? decisions.ofReturns : decisions.ofAsks[decisions.next++]!;
  });
}

function decisionsOfEntry(entry: LedgerEntry, outcome: FlushOutcome): EntryDecisions {
  if (isApplied(outcome)) return { ofReturns: returned, ofAsks: decisionsOfAsks(entry, outcome), next: 0 };
  const decision = notApplied(outcome);
  // An organization that has been deleted has nothing to return to.
  return {
    ofReturns: outcome ? decision : returned,
    ofAsks: Array(countOf(entry.runs)).fill(decision),
    next: 0,
  };
}

function notApplied(outcome: Exclude<FlushOutcome, LedgerOutcome>): Decision {
  if (outcome === undefined) return { kind: 'unknown organization' };
  return outcome === 'locked' ? { kind: 'locked' } : { kind: 'failed', by: outcome.failedBy };
}

/** The granted requests of a run share one reservation, because they were counted in the same windows. */
function decisionsOfAsks(
  { orgId, runs }: LedgerEntry,
  { decided, receipt, standing, limits }: LedgerOutcome,
): Decision[] {
  const decisions: Decision[] = [];
  const byScope = Map.groupBy(limits ?? [], scopeIdOf);
  for (const [i, { ask, count }] of runs.entries()) {
    const applying = scopesOf(ask).flatMap((scopeId) => byScope.get(scopeId) ?? []);
    const { granted, refusedBy } = decided[i]!;
    if (granted > 0) {
      const counted = applying.filter(({ unit }) => ask.units[unit] > 0);
      const reservation = { ...ask, orgId, receipt: { ...receipt, limits: counted } };
      const decision: Decision = { kind: 'granted', reservation };
      for (let n = 0; n < granted; n += 1) decisions.push(decision);
    }
    if (granted < count) {
      const by = applying.find(({ limitId }) => limitId === refusedBy) ?? standing;
      const decision: Decision = { kind: 'refused', by };
      for (let n = granted; n < count; n += 1) decisions.push(decision);
    }
  }
  return decisions;
}
