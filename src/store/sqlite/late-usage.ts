import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { monthDays } from '../../quota/window.ts';

const dayMs = 86_400_000;

/**
 * Notices late records, which belong to a month that has sums or is being summed up. Reports then read the month's
 * records until it is summed up again. For other records, this costs one lookup in two indexes.
 */
export class LateUsage {
  readonly #summedUntil: StatementSync;
  readonly #restart: StatementSync;

  constructor(database: DatabaseSync) {
    this.#summedUntil = database.prepare(
      `SELECT MAX(COALESCE((SELECT MAX(end_day) FROM usage_rolled), 0),
         COALESCE((SELECT MAX(end_day) FROM usage_rolling), 0)) AS day`,
    );
    this.#restart = database.prepare(
      `INSERT INTO usage_rolling (org_id, first_day, end_day, round, after_day, after_key)
       SELECT org_id, ?, ?, 0, -1, '' FROM organizations WHERE org_id = ?
       ON CONFLICT (org_id, first_day) DO UPDATE SET round = round + 1, after_day = -1, after_key = ''`,
    );
  }

  /** Must be called in the transaction that writes a record of that day. */
  touched(orgId: string, day: number): void {
    if (day >= Number(this.#summedUntil.get()?.day)) return;
    const { firstDay, endDay } = monthDays(day * dayMs);
    this.#restart.run(firstDay, endDay, orgId);
  }
}
