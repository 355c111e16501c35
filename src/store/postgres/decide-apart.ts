import { performance } from 'node:perf_hooks';
import type { FlushOutcome, LedgerEntry } from '../../quota/ledger-store.ts';
import { isAboutData } from './faults.ts';

/**
 * How long statements may fail before those that are left fail without being sent. Long enough to find some
 * organizations that make statements fail, and short enough that a flush ends soon if the database is at fault.
 */
const maxFailingMs = 500;

/**
 * Sends one statement. If Postgres rejects it because of its data, splits it in half and tries each half, until only the
 * offending organizations fail. If the response is lost, doesn't send it again, because it may have counted. `decide`
 * calls `onSend` whenever it sends a statement, so that its waits for locked rows before don't count as failing. Returns
 * an outcome for each entry, in order. Never rejects.
 */
export async function decideApart(
  entries: readonly LedgerEntry[],
  decide: (entries: readonly LedgerEntry[], onSend: () => void) => Promise<FlushOutcome[]>,
): Promise<FlushOutcome[]> {
  let sentMs = 0;
  const onSend = () => {
    sentMs = performance.now();
  };
  let failingMs = 0;
  let failure: unknown;
  const outcomesOf = async (some: readonly LedgerEntry[]): Promise<FlushOutcome[]> => {
    if (failingMs > maxFailingMs) return some.map(() => ({ failedBy: failure }));
    try {
      return await decide(some, onSend);
    } catch (reason) {
      failure = reason;
      failingMs += performance.now() - sentMs;
      if (some.length === 1 || !isAboutData(reason)) return some.map(() => ({ failedBy: reason }));
    }
    const half = some.length >> 1;
    return [...(await outcomesOf(some.slice(0, half))), ...(await outcomesOf(some.slice(half)))];
  };
  return await outcomesOf(entries);
}
