import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { customLimit, type LimitColumns } from '../database/schema.ts';
import { inTransaction, rowOf, rowsOf } from '../database/sqlite/database.ts';
import { type RunDecision, type SameAsks, scopesOf } from './ask.ts';
import {
  type Counter,
  currentRow,
  decide,
  limitStandingOf,
  quotaId,
  rowKindOf,
  standingAmong,
  standingOf,
  type WindowRow,
} from './decide.ts';
import type { StoredStandings } from './known-standings.ts';
import type { LedgerEntry, LedgerOutcome, Return } from './ledger-store.ts';
import {
  countedUnits,
  type LimitStanding,
  type LimitUnit,
  noUnits,
  ownScope,
  scopeIdOf,
  valuesOf,
} from './limit.ts';
import { limitColumns, scopeId } from './stored-limits.ts';
import type { Tiers } from './tiers.ts';
import { dayOf, type WindowKind } from './window.ts';

type OrgRow = LimitColumns & { tier: string; isLimited: number };
type StandingRow = OrgRow & { kind: string | null; startMs: number; used: number };
type LimitRow = Omit<LimitStanding, 'resetsAtMs'>;

const orgColumns = `tier, limit_requests AS limitRequests, limit_window AS limitWindow,
  EXISTS (SELECT 1 FROM limits WHERE limits.org_id = organizations.org_id) AS isLimited`;
/** Returns the limits of a scope. */
const limitsStatement = `SELECT ${limitColumns} FROM limits WHERE org_id = ? AND ${scopeId} = ? ORDER BY limit_id`;

const statementsOf = (database: DatabaseSync) => ({
  org: database.prepare(`SELECT ${orgColumns} FROM organizations WHERE org_id = ?`),
  row: database.prepare(
    'SELECT window_start AS startMs, used FROM quota_windows WHERE org_id = ? AND window_kind = ?',
  ),
  putRow: database.prepare(
    `INSERT INTO quota_windows (org_id, window_kind, window_start, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used`,
  ),
  returnRow: database.prepare(
    `UPDATE quota_windows SET used = used - ?
     WHERE org_id = ? AND window_kind = ? AND window_start = ?`,
  ),
  limits: database.prepare(limitsStatement),
  putLimit: database.prepare('UPDATE limits SET window_start = ?, used = ? WHERE limit_id = ?'),
  returnLimit: database.prepare('UPDATE limits SET used = used - ? WHERE limit_id = ? AND window_start = ?'),
  count: database.prepare(
    `INSERT INTO usage_records (org_id, key_id, day, model, counted, counted_texts, counted_tokens, cost)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, day, key_id, model) DO UPDATE SET counted = counted + excluded.counted,
       counted_texts = counted_texts + excluded.counted_texts, counted_tokens = counted_tokens + excluded.counted_tokens,
       cost = cost + excluded.cost`,
  ),
  uncount: database.prepare(
    `UPDATE usage_records
     SET counted = counted - ?, counted_texts = counted_texts - ?, counted_tokens = counted_tokens - ?, cost = cost - ?
     WHERE org_id = ? AND key_id = ? AND day = ? AND model = ?`,
  ),
});

/** The ledger on SQLite, for the writing thread. Times come from the caller's clock. */
export class SqliteLedger {
  readonly #database: DatabaseSync;
  readonly #tiers: Tiers;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(database: DatabaseSync, tiers: Tiers) {
    this.#database = database;
    this.#tiers = tiers;
    this.#statements = statementsOf(database);
  }

  /** See `LedgerStore.flush`. Durable when it returns. */
  flush(entries: readonly LedgerEntry[], nowMs: number): (LedgerOutcome | undefined)[] {
    return inTransaction(this.#database, () => entries.map((entry) => this.#apply(entry, nowMs)));
  }

  #apply({ orgId, runs, returns }: LedgerEntry, nowMs: number): LedgerOutcome | undefined {
    for (const back of returns) this.#return(back);
    const org = rowOf<OrgRow>(this.#statements.org, orgId);
    if (!org) return undefined;
    const quota = this.#tiers.limitOf(org.tier, customLimit(org));
    const kind = rowKindOf(quota);
    const month = this.#current(orgId, 'month', { window: 'month', nowMs });
    const quotaRow = kind === 'month' ? month : this.#current(orgId, kind, { window: quota.window, nowMs });
    const standing = standingOf(quota, quotaRow, nowMs);
    const limits = org.isLimited
      ? currentLimits(this.#statements.limits, {
          orgId,
          scopeIds: runs.flatMap(({ ask }) => scopesOf(ask)),
          nowMs,
        })
      : null;
    const counters: Counter[] = [
      {
        limitId: quotaId,
        scopeId: ownScope,
        unit: standing.unit,
        amount: standing.limit,
        resetsAtMs: standing.resetsAtMs,
        used: standing.used,
      },
      ...(limits ?? []).map((limit) => ({ ...limit, scopeId: scopeIdOf(limit) })),
    ];
    const decided = decide(runs, counters);
    const [{ used }, ...usedOfLimits] = counters as [Counter, ...Counter[]];
    const counted = [...unitsBy(runs, decided)];
    const requests = counted.reduce((sum, { units }) => sum + units.requests, 0);
    // If the clock was set back and the later month is in force, its first day counts, so that days add up to months.
    const day = Math.max(dayOf(nowMs), dayOf(month.startMs));
    // The further part of a request that has been counted uses texts and tokens, and no request.
    if (requests > 0) this.#statements.putRow.run(orgId, 'month', month.startMs, month.used + requests);
    for (const { keyId, model, units } of counted)
      this.#statements.count.run(orgId, keyId, day, model, ...valuesOf(units));
    if (quotaRow !== month && used > standing.used)
      this.#statements.putRow.run(orgId, kind, quotaRow.startMs, used);
    const after = limits?.map((limit, i) => ({ ...limit, used: usedOfLimits[i]!.used })) ?? null;
    const hasGranted = decided.some(({ granted }) => granted > 0);
    for (const { limitId, startMs, used } of hasGranted ? (after ?? []) : []) {
      this.#statements.putLimit.run(startMs, used, limitId);
    }
    const { startMs } = quotaRow;
    const window = quotaRow === month ? null : { kind, unit: quota.unit, startMs };
    return {
      decided,
      receipt: { day, monthStartMs: month.startMs, window },
      standing: { ...standing, used },
      limits: after,
    };
  }

  #return({ reservation: { orgId, keyId, model, receipt }, units }: Return): void {
    for (const { limitId, unit, startMs } of receipt.limits)
      this.#statements.returnLimit.run(units[unit], limitId, startMs);
    if (receipt.window) {
      const { kind, unit, startMs } = receipt.window;
      this.#statements.returnRow.run(units[unit], orgId, kind, startMs);
    }
    if (units.requests !== 0)
      this.#statements.returnRow.run(units.requests, orgId, 'month', receipt.monthStartMs);
    this.#statements.uncount.run(...valuesOf(units), orgId, keyId, receipt.day, model);
  }

  #current(orgId: string, kind: string, { window, nowMs }: { window: WindowKind; nowMs: number }): WindowRow {
    return currentRow(window, rowOf<WindowRow>(this.#statements.row, orgId, kind), nowMs);
  }
}

/** Reads standings on a connection of the main thread, within a few µs, and never waits for the writer. */
export function standingsReader(
  reader: DatabaseSync,
  tiers: Tiers,
): (orgId: string, scopeIds: readonly string[], nowMs: number) => StoredStandings | undefined {
  const windows = reader.prepare(
    `SELECT ${orgColumns}, window_kind AS kind, window_start AS startMs, used
     FROM organizations LEFT JOIN quota_windows ON quota_windows.org_id = organizations.org_id
     WHERE organizations.org_id = ?`,
  );
  const limits = reader.prepare(limitsStatement);
  return (orgId, scopeIds, nowMs) => {
    const rows = rowsOf<StandingRow>(windows, orgId);
    const [org] = rows;
    if (!org) return undefined;
    const limit = tiers.limitOf(org.tier, customLimit(org));
    return {
      quota: standingAmong(rows, limit, nowMs),
      limits: org.isLimited ? currentLimits(limits, { orgId, scopeIds, nowMs }) : null,
    };
  };
}

/** Reads the limits of some scopes of an organization, as they are in force at `nowMs`. */
function currentLimits(
  statement: StatementSync,
  { orgId, scopeIds, nowMs }: { orgId: string; scopeIds: readonly string[]; nowMs: number },
): LimitStanding[] {
  const rows = [...new Set(scopeIds)].flatMap((scope) => rowsOf<LimitRow>(statement, orgId, scope));
  return rows.map((row) => limitStandingOf(row, nowMs));
}

/** Returns the granted units of each key and model. */
function unitsBy(runs: readonly SameAsks[], decided: readonly RunDecision[]) {
  const counts = new Map<string, { keyId: string; model: string; units: Record<LimitUnit, number> }>();
  for (const [i, { ask }] of runs.entries()) {
    const { keyId, model } = ask;
    const { granted } = decided[i]!;
    if (granted === 0) continue;
    const id = `${keyId} ${model}`;
    const { units } = counts.get(id) ?? { units: { ...noUnits } };
    for (const unit of countedUnits) units[unit] += granted * ask.units[unit];
    counts.set(id, { keyId, model, units });
  }
  return counts.values();
}
