import type { LedgerEntry } from '../../quota/ledger.ts';
import type { Tiers } from '../../quota/tiers.ts';

/**
 * Returns the tiers as the first three arguments of both functions: as literals, which a connection parses only once.
 */
export function tierLiterals({ all }: Tiers): string {
  const columns = [
    // In quotes, because a tier could be named null.
    all.map(({ name }) => `"${name}"`),
    all.map(({ monthlyRequests }) => monthlyRequests ?? 'NULL'),
    all.map(({ takesCustomLimit }) => takesCustomLimit),
  ];
  return columns.map((column) => `'{${column.join(',')}}'`).join(', ');
}

type Run = { readonly orgAt: number; readonly keyId: string; readonly from: number; asks: number };

/**
 * Returns the arguments of `flush_quota`, except the tiers and the time: tables, column by column. Places in them count
 * from 1.
 */
export function flushArguments(entries: readonly LedgerEntry[]): unknown[] {
  const runs = entries.flatMap(({ asks }, i) => runsOf(i + 1, asks));
  const backs = entries.flatMap(({ giveBacks }, i) => giveBacks.map((back) => ({ ...back, orgAt: i + 1 })));
  return [
    entries.map(({ orgId }) => orgId),
    entries.map(({ asks }) => asks.length),
    runs.map(({ orgAt }) => orgAt),
    runs.map(({ keyId }) => keyId),
    runs.map(({ from }) => from),
    runs.map(({ asks }) => asks),
    backs.map(({ orgAt }) => orgAt),
    backs.map(({ keyId }) => keyId),
    backs.map(({ receipt }) => receipt.day),
    backs.map(({ receipt }) => receipt.monthStartMs),
    backs.map(({ receipt }) => receipt.window?.kind),
    backs.map(({ receipt }) => receipt.window?.startMs),
  ];
}

/** Returns the arguments of `flush_quota_of_one`, except the tiers and the time, for an entry without give-backs. */
export function flushOfOneArguments({ orgId, asks }: LedgerEntry): unknown[] {
  const runs = runsOf(1, asks);
  return [
    orgId,
    asks.length,
    runs.map(({ keyId }) => keyId),
    runs.map(({ from }) => from),
    runs.map(({ asks }) => asks),
  ];
}

/** Groups consecutive asks of the same key. `from` is the number of asks before them. */
function runsOf(orgAt: number, keyIds: readonly string[]): Run[] {
  const runs: Run[] = [];
  keyIds.forEach((keyId, from) => {
    const last = runs.at(-1);
    if (last?.keyId === keyId) last.asks += 1;
    else runs.push({ orgAt, keyId, from, asks: 1 });
  });
  return runs;
}
