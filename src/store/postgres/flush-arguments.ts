import { countOf, type Run } from '../../quota/ask.ts';
import type { LedgerEntry } from '../../quota/ledger-store.ts';
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

/**
 * Returns the arguments of `flush_quota`, except the tiers, for entries without limits: tables, column by column.
 * Places in them count from 1.
 */
export function flushArguments(entries: readonly LedgerEntry[], nowMs: number | undefined): unknown[] {
  const runs = runColumns(entries);
  const backs = entries.flatMap(({ returns }) => returns.map(({ reservation }) => reservation));
  return [
    entries.map(({ orgId }) => orgId),
    entries.map(({ runs }) => countOf(runs)),
    ...[runs.orgPlaces, runs.keyIds, runs.from, runs.counts],
    entries.flatMap(({ returns }, i) => returns.map(() => i + 1)),
    backs.map(({ keyId }) => keyId),
    backs.map(({ receipt }) => receipt.day),
    backs.map(({ receipt }) => receipt.monthStartMs),
    backs.map(({ receipt }) => receipt.window?.kind),
    backs.map(({ receipt }) => receipt.window?.startMs),
    nowMs,
    runs.models,
    backs.map(({ model }) => model),
  ];
}

/** Returns the arguments of `flush_quota_of_one`, except the tiers, for an entry without returns and limits. */
export function flushOfOneArguments(entry: LedgerEntry, nowMs: number | undefined): unknown[] {
  const { keyIds, from, counts, models } = runColumns([entry]);
  return [entry.orgId, countOf(entry.runs), keyIds, from, counts, nowMs, models];
}

interface RunColumns {
  readonly orgPlaces: number[];
  readonly keyIds: string[];
  /** The number of the organization's requests before the run. */
  readonly from: number[];
  readonly counts: number[];
  readonly models: string[];
}

/** Joins consecutive runs of a key and model: without limits, only the number of requests counts. */
function runColumns(entries: readonly LedgerEntry[]): RunColumns {
  const columns: RunColumns = { orgPlaces: [], keyIds: [], from: [], counts: [], models: [] };
  for (const [i, { runs }] of entries.entries()) {
    let from = 0;
    let last: Run['ask'] | undefined;
    for (const { ask, count } of runs) {
      if (last?.keyId === ask.keyId && last.model === ask.model) {
        columns.counts[columns.counts.length - 1]! += count;
      } else {
        columns.orgPlaces.push(i + 1);
        columns.keyIds.push(ask.keyId);
        columns.from.push(from);
        columns.counts.push(count);
        columns.models.push(ask.model);
      }
      last = ask;
      from += count;
    }
  }
  return columns;
}

/** Returns the entries of `flush_quota_limited` as JSON. */
export function limitedArguments(entries: readonly LedgerEntry[]): string {
  return JSON.stringify(
    entries.map(({ orgId, runs, returns }) => {
      const asks = runs.map(({ ask }) => ask);
      return {
        org: orgId,
        runKeys: asks.map(({ keyId }) => keyId),
        runLimitsKeys: asks.map(({ limitsKeyId }) => limitsKeyId),
        runModels: asks.map(({ model }) => model),
        runAsks: runs.map(({ count }) => count),
        runRequests: asks.map(({ units }) => units.requests),
        runTexts: asks.map(({ units }) => units.texts),
        runTokens: asks.map(({ units }) => units.tokens),
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
