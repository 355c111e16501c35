import { functionName } from '../database/postgres/functions.ts';
import type { Pool, Statement } from '../database/postgres/pool.ts';
import type { Clock } from '../lib/clock.ts';
import { quotaId, rowKindOf, standingOf } from './decide.ts';
import type { LedgerEntry, LedgerOutcome } from './ledger-store.ts';
import { countedUnits, type LimitStanding, noUnits, userScope, valuesOf } from './limit.ts';
import type { Tiers } from './tiers.ts';
import type { WindowKind } from './window.ts';

type DecidedRow = {
  /** The organization's place in the flush, from 1. */
  org_at: number;
  day: number;
  month_start: number;
  limit_amount: number | null;
  /** The place in `countedUnits`, from 1. */
  limit_unit: number;
  window_kind: WindowKind;
  window_start: number;
  window_used: number;
  now_ms: number;
  /** For each run, how many are granted. Null: all are. */
  granted: number[] | null;
  /** For each run, the limit that refuses the others. Null: the quota does. */
  refused_by: (string | null)[] | null;
  current_limits: LimitStanding[] | null;
};

const argumentCount = 26;

/** The statement that decides entries: one transaction and one round trip. */
export class FlushStatement {
  readonly #pool: Pool;
  readonly #windowClock: Clock | undefined;
  readonly #statement: Statement;

  constructor(pool: Pool, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#windowClock = windowClock;
    const places = Array.from({ length: argumentCount }, (_, i) => `$${i + 1}`);
    this.#statement = {
      name: 'flush_quota',
      text: `SELECT * FROM ${functionName('flush_quota')}(${tierLiterals(tiers)}, ${places})`,
    };
  }

  /** The outcome of an unknown organization, or of one whose tier is not configured, is undefined. */
  async decide(entries: readonly LedgerEntry[]): Promise<(LedgerOutcome | undefined)[]> {
    const values = flushArguments(entries, this.#windowClock?.now());
    const rows = await this.#pool.query<DecidedRow>(this.#statement, values);
    const byPlace = new Map(rows.map((row) => [row.org_at, row]));
    return entries.map((entry, i) => {
      const row = byPlace.get(i + 1);
      return row && outcomeOf(entry, row);
    });
  }
}

function outcomeOf({ runs }: LedgerEntry, row: DecidedRow): LedgerOutcome {
  const unit = countedUnits[row.limit_unit - 1]!;
  const limit = { amount: row.limit_amount, window: row.window_kind, unit };
  const kind = rowKindOf(limit);
  const window = { startMs: row.window_start, used: row.window_used };
  const { granted, refused_by: refusedBy } = row;
  return {
    decided: runs.map(({ count }, i) => ({
      granted: granted?.[i] ?? count,
      refusedBy: refusedBy?.[i] ?? quotaId,
    })),
    receipt: {
      day: row.day,
      monthStartMs: row.month_start,
      window: kind === 'month' ? null : { kind, unit, startMs: window.startMs },
    },
    standing: standingOf(limit, window, row.now_ms),
    limits: row.current_limits,
  };
}

/**
 * Returns the tiers as the first arguments of `flush_quota`: as literals, which a connection parses only once.
 */
function tierLiterals({ all }: Tiers): string {
  const columns = [
    // In quotes, because a tier could be named null.
    all.map(({ name }) => `"${name}"`),
    all.map(({ monthlyLimit }) => monthlyLimit ?? 'NULL'),
    all.map(({ unit }) => countedUnits.indexOf(unit) + 1),
    all.map(({ takesCustomLimit }) => takesCustomLimit),
  ];
  return columns.map((column) => `'{${column.join(',')}}'`).join(', ');
}

/**
 * Returns the arguments of `flush_quota`, except the tiers: tables, column by column. Places in them count from 1.
 *
 * - An organization has its id and the place of its own scope.
 * - A scope, whose limits count together, is an organization (with an empty id), the first key of a chain of rotations,
 *   or a user. It has the units asked for in total. An organization's own scope comes first, before the others.
 * - A record is what a key asks of a model in total. It has the places of the scopes of its key and its user.
 * - A run has its record, the number of its requests, and the units of each.
 * - A return to the quota has its organization, key and model, its units, and where they were counted. The
 *   quota's own window, unless that is the month's requests, has the units of its kind.
 * - A return to a limit has the limit, and the units and the window that they were counted in.
 */
function flushArguments(entries: readonly LedgerEntry[], nowMs: number | undefined): unknown[] {
  const orgs = { ids: [] as string[], scopes: [] as number[] };
  const scopes = {
    orgs: [] as number[],
    ids: [] as string[],
    units: [] as number[][],
  };
  const records = {
    scopes: [] as number[],
    persons: [] as (number | null)[],
    keys: [] as string[],
    models: [] as string[],
    units: [] as number[][],
  };
  const runs = { records: [] as number[], counts: [] as number[], units: [] as number[][] };

  for (const entry of entries) {
    const addScope = (id: string): number => {
      scopes.orgs.push(orgs.ids.length);
      scopes.ids.push(id);
      return scopes.units.push(valuesOf(noUnits));
    };
    orgs.ids.push(entry.orgId);
    const own = addScope('');
    orgs.scopes.push(own);
    const scopeOf = new Map<string, number>();
    const recordOf = new Map<string, Map<string, number>>();
    for (const { ask, count } of entry.runs) {
      const scope = placeOf(scopeOf, ask.limitsKeyId, addScope);
      const person =
        ask.limitsUserId === null ? null : placeOf(scopeOf, userScope(ask.limitsUserId), addScope);
      const ofKey = placeOf(recordOf, `${ask.keyId} ${ask.limitsUserId}`, () => new Map<string, number>());
      const record = placeOf(ofKey, ask.model, () => {
        records.scopes.push(scope);
        records.persons.push(person);
        records.keys.push(ask.keyId);
        records.models.push(ask.model);
        return records.units.push(valuesOf(noUnits));
      });
      const units = valuesOf(ask.units);
      const addTo = (sums: number[] | undefined): void => {
        for (const [i, value] of units.entries()) if (sums) sums[i]! += count * value;
      };
      for (const counting of [own, scope, person]) if (counting !== null) addTo(scopes.units[counting - 1]);
      addTo(records.units[record - 1]);
      runs.records.push(record);
      runs.counts.push(count);
      runs.units.push(units);
    }
  }
  return [
    ...[orgs.ids, literal(orgs.scopes)],
    ...[literal(scopes.orgs), scopes.ids, literal(scopes.units)],
    ...[
      literal(records.scopes),
      literal(records.persons),
      records.keys,
      records.models,
      literal(records.units),
    ],
    ...[literal(runs.records), literal(runs.counts), literal(runs.units)],
    ...returnColumns(entries),
    nowMs,
  ];
}

function returnColumns(entries: readonly LedgerEntry[]): unknown[] {
  const returns = entries.flatMap(({ returns }, i) => returns.map((one) => ({ ...one, org: i + 1 })));
  const receipts = returns.map(({ reservation }) => reservation.receipt);
  const ofLimits = returns.flatMap(({ reservation, units }) =>
    reservation.receipt.limits.map((limit) => ({ ...limit, units: units[limit.unit] })),
  );
  return [
    literal(returns.map(({ org }) => org)),
    returns.map(({ reservation }) => reservation.keyId),
    returns.map(({ reservation }) => reservation.model),
    literal(returns.map(({ units }) => valuesOf(units))),
    literal(receipts.map(({ day }) => day)),
    literal(receipts.map(({ monthStartMs }) => monthStartMs)),
    receipts.map(({ window }) => window?.kind),
    literal(receipts.map(({ window }) => window?.startMs ?? null)),
    literal(returns.map(({ units }, i) => units[receipts[i]!.window?.unit ?? 'requests'])),
    ofLimits.map(({ limitId }) => limitId),
    literal(ofLimits.map(({ startMs }) => startMs)),
    literal(ofLimits.map(({ units }) => units)),
  ];
}

/** Returns the value of the key, which `add` makes if there is none. */
function placeOf<V>(places: Map<string, V>, key: string, add: (key: string) => V): V {
  const found = places.get(key);
  if (found !== undefined) return found;
  const added = add(key);
  places.set(key, added);
  return added;
}

/** Returns an array of Postgres, much faster than pg does for numbers. */
function literal(numbers: readonly (number | null | readonly number[])[]): string {
  return JSON.stringify(numbers).replaceAll('[', '{').replaceAll(']', '}');
}
