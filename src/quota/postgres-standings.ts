import { Gather } from '../../packages/small/src/gather.ts';
import type { Pool, Statement } from '../database/postgres/pool.ts';
import { customLimit, type LimitColumns } from '../database/schema.ts';
import type { Clock } from '../lib/clock.ts';
import { limitStandingOf, type Standing, standingAmong, type WindowRow } from './decide.ts';
import type { StoredStandings } from './known-standings.ts';
import { type LimitStanding, scopeIdOf } from './limit.ts';
import { limitColumns, scopeId } from './stored-limits.ts';
import type { Tiers } from './tiers.ts';

type StandingRow = LimitColumns &
  WindowRow & { orgId: string; tier: string; kind: string | null; nowMs: number; isLimited: boolean };

type LimitRow = Omit<LimitStanding, 'resetsAtMs'> & { orgId: string };

interface Asked {
  readonly orgId: string;
  readonly scopeIds: readonly string[];
}

const standingStatement: Statement = {
  name: 'standing',
  text: `SELECT o.org_id AS "orgId", o.tier, o.limit_requests AS "limitRequests", o.limit_window AS "limitWindow",
      w.window_kind AS kind, w.window_start AS "startMs", w.used,
      COALESCE($2::BIGINT, floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT) AS "nowMs",
      EXISTS (SELECT FROM limits l WHERE l.org_id = o.org_id) AS "isLimited"
    FROM organizations o LEFT JOIN quota_windows w ON w.org_id = o.org_id
    WHERE o.org_id = ANY ($1::TEXT[])`,
};

const limitsStatement: Statement = {
  name: 'limits',
  text: `SELECT org_id AS "orgId", ${limitColumns}
    FROM limits WHERE org_id = ANY ($1::TEXT[]) AND ${scopeId} = ANY ($2::TEXT[])
    ORDER BY limit_id`,
};

const maxStandingsPerRead = 1_000;

/** Reads the standings of organizations, keys and people. Reads at the same time share their statements. */
export class StandingsReader {
  readonly #pool: Pool;
  readonly #tiers: Tiers;
  readonly #windowClock: Clock | undefined;
  readonly #reads: Gather<Asked, StoredStandings | undefined>;

  constructor(pool: Pool, tiers: Tiers, windowClock?: Clock) {
    this.#pool = pool;
    this.#tiers = tiers;
    this.#windowClock = windowClock;
    this.#reads = new Gather((asked) => this.#readAll(asked), { maxItems: maxStandingsPerRead });
  }

  /** Returns what `LedgerStore.standings` does. */
  read(orgId: string, scopeIds: readonly string[]): Promise<StoredStandings | undefined> {
    return this.#reads.add({ orgId, scopeIds });
  }

  async #readAll(asked: readonly Asked[]): Promise<(StoredStandings | undefined)[]> {
    const orgIds = [...new Set(asked.map(({ orgId }) => orgId))];
    const rows = await this.#pool.query<StandingRow>(standingStatement, [orgIds, this.#windowClock?.now()]);
    const limitedOrgIds = [...new Set(rows.filter(({ isLimited }) => isLimited).map(({ orgId }) => orgId))];
    const limits =
      limitedOrgIds.length === 0
        ? []
        : await this.#pool.query<LimitRow>(limitsStatement, [
            limitedOrgIds,
            [...new Set(asked.flatMap(({ scopeIds }) => scopeIds))],
          ]);
    const rowsByOrg = Map.groupBy(rows, ({ orgId }) => orgId);
    const limitsByOrg = Map.groupBy(limits, ({ orgId }) => orgId);
    return asked.map(({ orgId, scopeIds }) => {
      const found = rowsByOrg.get(orgId);
      const [org] = found ?? [];
      if (!found || !org) return undefined;
      const applying = (limitsByOrg.get(orgId) ?? []).filter((limit) => scopeIds.includes(scopeIdOf(limit)));
      return {
        quota: toStanding(org, found, this.#tiers),
        limits: org.isLimited
          ? applying.map(({ orgId: _, ...row }) => limitStandingOf(row, org.nowMs))
          : null,
      };
    });
  }
}

function toStanding(org: StandingRow, rows: readonly StandingRow[], tiers: Tiers): Standing {
  const limit = tiers.limitOf(org.tier, customLimit(org));
  return standingAmong(rows, limit, org.nowMs);
}
