import { performance } from 'node:perf_hooks';
import type { FlushOutcome, LedgerEntry } from '../../quota/ledger-store.ts';
import { isAboutData } from './faults.ts';

/** 'limited': only `flush_quota_limited` can decide the entry, and nothing of it has been applied. */
export type Outcome = FlushOutcome | 'limited';

/** Decides entries in one transaction, and returns an outcome for each, in order. */
export type Decide = (entries: readonly LedgerEntry[]) => Promise<Outcome[]>;

/**
 * How many runs and returns a statement for organizations with limits may have. With 30 limits per request, the most
 * that can apply, they take about 0.3 s, much less than the deadline of a statement.
 */
const maxSize = 256;
/**
 * How long statements may fail before those that are left fail without being sent. Long enough to find some
 * organizations that make statements fail, and short enough that a flush ends soon if the database is at fault.
 */
const maxFailingMs = 500;

/**
 * Divides entries among statements of at most `maxSize` runs and returns. An organization that has more gets a statement
 * of its own. The largest statements come last, because only they can reach the deadline.
 */
export function statementsOf(entries: readonly LedgerEntry[]): LedgerEntry[][] {
  const statements: { readonly entries: LedgerEntry[]; size: number }[] = [];
  for (const entry of entries) {
    const size = entry.runs.length + entry.returns.length;
    const last = statements.at(-1);
    if (last && last.size + size <= maxSize) {
      last.entries.push(entry);
      last.size += size;
    } else statements.push({ entries: [entry], size });
  }
  return statements.sort((a, b) => a.size - b.size).map(({ entries }) => entries);
}

/**
 * Sends statements one after another, each of which fails by itself. If the database refuses what one does, sends its
 * halves, and so on, so that only the organizations that make it fail have failed. If the response is lost, doesn't
 * send it again, because it may have counted. `decide` calls `onSend` whenever it sends a statement, so that its waits for
 * locked rows before don't count as failing. Returns the outcomes by organization. Never rejects.
 */
export async function decideApart(
  statements: readonly (readonly LedgerEntry[])[],
  decide: (entries: readonly LedgerEntry[], onSend: () => void) => Promise<Outcome[]>,
): Promise<Map<string, Outcome>> {
  const byOrg = new Map<string, Outcome>();
  const fail = (entries: readonly LedgerEntry[], failedBy: unknown) => {
    for (const { orgId } of entries) byOrg.set(orgId, { failedBy });
  };
  const waiting = [...statements];
  let sentMs = 0;
  const onSend = () => {
    sentMs = performance.now();
  };
  let failingMs = 0;
  let failure: unknown;
  for (let entries = waiting.shift(); entries; entries = waiting.shift()) {
    if (failingMs > maxFailingMs) {
      fail(entries, failure);
      continue;
    }
    try {
      const outcomes = await decide(entries, onSend);
      for (const [i, { orgId }] of entries.entries()) byOrg.set(orgId, outcomes[i]);
    } catch (reason) {
      failure = reason;
      failingMs += performance.now() - sentMs;
      if (entries.length > 1 && isAboutData(reason)) {
        const half = entries.length >> 1;
        waiting.unshift(entries.slice(0, half), entries.slice(half));
      } else fail(entries, reason);
    }
  }
  return byOrg;
}
