import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { currentRow, grantable, type Standing, standingOf, type WindowRow } from '../../quota/decide.ts';
import type { LedgerEntry, LedgerOutcome, Receipt, Reservation } from '../../quota/ledger.ts';
import type { Limit, Tiers } from '../../quota/tiers.ts';
import { dayOf, type WindowKind } from '../../quota/window.ts';
import { customLimit, type LimitColumns } from '../schema.ts';
import { inTransaction, rowOf, rowsOf } from './database.ts';
import { LateUsage } from './late-usage.ts';

type OrgRow = LimitColumns & { tier: string };
type StandingRow = OrgRow & { kind: WindowKind | null; startMs: number; used: number };

const orgColumns = 'tier, limit_requests AS limitRequests, limit_window AS limitWindow';

/** The ledger on SQLite, for the writing thread. Times come from the caller's clock. */
export class SqliteLedger {
  readonly #database: DatabaseSync;
  readonly #tiers: Tiers;
  readonly #limit: StatementSync;
  readonly #row: StatementSync;
  readonly #putRow: StatementSync;
  readonly #returnRow: StatementSync;
  readonly #count: StatementSync;
  readonly #uncount: StatementSync;
  readonly #late: LateUsage;

  constructor(database: DatabaseSync, tiers: Tiers) {
    this.#database = database;
    this.#tiers = tiers;
    this.#late = new LateUsage(database);
    this.#limit = database.prepare(`SELECT ${orgColumns} FROM organizations WHERE org_id = ?`);
    this.#row = database.prepare(
      'SELECT window_start AS startMs, used FROM quota_windows WHERE org_id = ? AND window_kind = ?',
    );
    this.#putRow = database.prepare(
      `INSERT INTO quota_windows (org_id, window_kind, window_start, used) VALUES (?, ?, ?, ?)
       ON CONFLICT (org_id, window_kind) DO UPDATE SET window_start = excluded.window_start, used = excluded.used`,
    );
    this.#returnRow = database.prepare(
      `UPDATE quota_windows SET used = used - 1
       WHERE org_id = ? AND window_kind = ? AND window_start = ?`,
    );
    this.#count = database.prepare(
      `INSERT INTO usage_daily (org_id, key_id, day, counted) VALUES (?, ?, ?, ?)
       ON CONFLICT (org_id, day, key_id) DO UPDATE SET counted = counted + excluded.counted`,
    );
    this.#uncount = database.prepare(
      'UPDATE usage_daily SET counted = counted - 1 WHERE org_id = ? AND key_id = ? AND day = ?',
    );
  }

  /** See `LedgerStore.flush`. Durable when it returns. */
  flush(entries: readonly LedgerEntry[], nowMs: number): (LedgerOutcome | undefined)[] {
    return inTransaction(this.#database, () => entries.map((entry) => this.#apply(entry, nowMs)));
  }

  #apply({ orgId, asks, giveBacks }: LedgerEntry, nowMs: number): LedgerOutcome | undefined {
    for (const reservation of giveBacks) this.#giveBack(reservation);
    const org = rowOf<OrgRow>(this.#limit, orgId);
    if (!org) return undefined;
    const limit = this.#tiers.limitOf(org.tier, customLimit(org));
    const month = this.#current(orgId, 'month', nowMs);
    const limited = limit.window === 'month' ? month : this.#current(orgId, limit.window, nowMs);
    const granted = grantable(limit, limited.used, asks.length);
    // If the clock was set back and the later month is in force, its first day counts, so that days add up to months.
    const day = Math.max(dayOf(nowMs), dayOf(month.startMs));
    if (granted > 0) {
      this.#putRow.run(orgId, 'month', month.startMs, month.used + granted);
      if (limited !== month) this.#putRow.run(orgId, limit.window, limited.startMs, limited.used + granted);
      for (const [keyId, count] of countByKey(asks.slice(0, granted))) {
        this.#count.run(orgId, keyId, day, count);
      }
      this.#late.touched(orgId, day);
    }
    const window = limited === month ? null : { kind: limit.window, startMs: limited.startMs };
    const receipt: Receipt = { day, monthStartMs: month.startMs, window };
    const standing = standingOf(limit, { startMs: limited.startMs, used: limited.used + granted }, nowMs);
    return { granted, receipt, standing };
  }

  #giveBack({ orgId, keyId, receipt }: Reservation): void {
    this.#returnRow.run(orgId, 'month', receipt.monthStartMs);
    if (receipt.window) this.#returnRow.run(orgId, receipt.window.kind, receipt.window.startMs);
    const { changes } = this.#uncount.run(orgId, keyId, receipt.day);
    if (changes) this.#late.touched(orgId, receipt.day);
  }

  #current(orgId: string, kind: WindowKind, nowMs: number): WindowRow {
    return currentRow(kind, rowOf<WindowRow>(this.#row, orgId, kind), nowMs);
  }
}

/** Reads standings on a connection of the main thread, within a few µs, and never waits for the writer. */
export function standingReader(
  reader: DatabaseSync,
  tiers: Tiers,
): (orgId: string, nowMs: number) => Standing | undefined {
  const statement = reader.prepare(
    `SELECT ${orgColumns}, window_kind AS kind, window_start AS startMs, used
     FROM organizations LEFT JOIN quota_windows ON quota_windows.org_id = organizations.org_id
     WHERE organizations.org_id = ?`,
  );
  return (orgId, nowMs) => {
    const rows = rowsOf<StandingRow>(statement, orgId);
    const [org] = rows;
    if (!org) return undefined;
    const limit: Limit = tiers.limitOf(org.tier, customLimit(org));
    const row = rows.find(({ kind }) => kind === limit.window);
    return standingOf(limit, row, nowMs);
  };
}

function countByKey(keyIds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keyId of keyIds) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  return counts;
}
