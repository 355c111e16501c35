import type { Ask, LedgerEntry } from '../../quota/ledger.ts';
import { limitUnits } from '../../quota/limit.ts';
import type { Tiers } from '../../quota/tiers.ts';

/**
 * Returns the tiers as the first three arguments of each function: as literals, which a connection parses only once.
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

/** A number of consecutive equal asks. `from` is the number of asks before them. */
interface Run extends Ask {
  readonly from: number;
  asks: number;
}

/**
 * Returns the arguments of `flush_quota`, except the tiers, for entries without limits: tables, column by column.
 * Places in them count from 1.
 */
export function flushArguments(entries: readonly LedgerEntry[], nowMs: number | undefined): unknown[] {
  const runs = entries.flatMap(({ asks }, i) => runsOf(asks).map((run) => ({ ...run, orgAt: i + 1 })));
  const backs = entries.flatMap(({ returns }, i) =>
    returns.map(({ reservation }) => ({ ...reservation, orgAt: i + 1 })),
  );
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
    nowMs,
    runs.map(({ model }) => model),
    backs.map(({ model }) => model),
  ];
}

/** Returns the arguments of `flush_quota_of_one`, except the tiers, for an entry without returns and limits. */
export function flushOfOneArguments({ orgId, asks }: LedgerEntry, nowMs: number | undefined): unknown[] {
  const runs = runsOf(asks);
  return [
    orgId,
    asks.length,
    runs.map(({ keyId }) => keyId),
    runs.map(({ from }) => from),
    runs.map(({ asks }) => asks),
    nowMs,
    runs.map(({ model }) => model),
  ];
}

/** Returns the entries of `flush_quota_limited` as JSON. */
export function limitedArguments(entries: readonly LedgerEntry[]): string {
  return JSON.stringify(
    entries.map(({ orgId, asks, returns }) => {
      const runs = runsOf(asks, { byUnits: true });
      return {
        org: orgId,
        runKeys: runs.map(({ keyId }) => keyId),
        runLimitsKeys: runs.map(({ limitsKeyId }) => limitsKeyId),
        runModels: runs.map(({ model }) => model),
        runAsks: runs.map(({ asks }) => asks),
        runRequests: runs.map(({ units }) => units.requests),
        runTexts: runs.map(({ units }) => units.texts),
        runTokens: runs.map(({ units }) => units.tokens),
        returns: returns.map(({ reservation: { keyId, model, receipt }, units }) => ({
          key_id: keyId,
          model,
          day: receipt.day,
          month_start: receipt.monthStartMs,
          kind: receipt.window?.kind,
          start: receipt.window?.startMs,
          requests: units.requests,
        })),
        limitReturns: returns.flatMap(({ reservation, units }) =>
          reservation.receipt.limits.map(({ limitId, unit, startMs }) => ({
            limit_id: limitId,
            start: startMs,
            units: units[unit],
          })),
        ),
      };
    }),
  );
}

/** Returns how many asks of each run were decided together, in the order of `flush_quota_limited`'s results. */
export function runLengths(asks: readonly Ask[]): number[] {
  return runsOf(asks, { byUnits: true }).map((run) => run.asks);
}

function runsOf(asks: readonly Ask[], { byUnits = false } = {}): Run[] {
  const runs: Run[] = [];
  asks.forEach((ask, from) => {
    const last = runs.at(-1);
    if (last && isAlike(last, ask, byUnits)) last.asks += 1;
    else runs.push({ ...ask, from, asks: 1 });
  });
  return runs;
}

function isAlike(a: Ask, b: Ask, byUnits: boolean): boolean {
  if (a.keyId !== b.keyId || a.model !== b.model) return false;
  return !byUnits || limitUnits.every((unit) => a.units[unit] === b.units[unit]);
}
