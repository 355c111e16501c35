import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { newId } from '../lib/ids.ts';
import type { LimitOfTier } from './limit.ts';
import { scopeId } from './stored-limits.ts';
import type { Tier, Tiers } from './tiers.ts';

/** Others wait for the rows that a step changes. */
const organizationsPerStep = 20;
const rowsPerStatement = 500;

/** Returns what an organization states that has the limits of its tier. */
const markOf = ({ limits }: Tier): string =>
  limits.length === 0 ? '' : hash('sha256', JSON.stringify(limits), 'hex');

/**
 * Gives organizations the limits of their tier, and removes those of another one. A limit that both tiers have keeps what
 * it has counted. Runs in the caller's transaction, and locks the organizations: keys get their limits before or after.
 */
export async function applyTier(
  db: Kysely<Database>,
  tier: Tier | undefined,
  orgIds: readonly string[],
  createdAt: number,
): Promise<void> {
  if (!tier) return;
  const { limits } = tier;
  const organizations = db.updateTable('organizations').set({ tierLimits: markOf(tier) });
  await organizations.where('orgId', 'in', orgIds).execute();
  await db
    .deleteFrom('limits')
    .where('orgId', 'in', orgIds)
    .where('setBy', '=', 'tier')
    .where(({ not, or }) => not(or(limits.map(isOne))))
    .execute();
  const ofKeys = limits.filter(({ appliesTo }) => appliesTo === 'new_keys');
  const keys = ofKeys.length === 0 ? [] : await firstKeysOf(db, orgIds);
  const rowOf = (orgId: string, keyId: string | null, { window: windowKind, ...limit }: LimitOfTier) => ({
    ...limit,
    ...(keyId !== null && { appliesTo: 'requests' as const }),
    limitId: newId(),
    orgId,
    keyId,
    userId: null,
    setBy: 'tier' as const,
    windowKind,
    createdAt,
    windowStart: 0,
    used: 0,
  });
  const rows = [
    ...orgIds.flatMap((orgId) => limits.map((limit) => rowOf(orgId, null, limit))),
    ...keys.flatMap(({ orgId, keyId }) => ofKeys.map((limit) => rowOf(orgId, keyId, limit))),
  ];
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await db
      .insertInto('limits')
      .values(rows.slice(from, from + rowsPerStatement))
      .onConflict((conflict) =>
        conflict
          .expression(sql`org_id, ${sql.raw(scopeId)}, unit, window_kind, set_by`)
          .doUpdateSet(({ ref }) => ({
            amount: ref('excluded.amount'),
            maxWaitMs: ref('excluded.maxWaitMs'),
          })),
      )
      .execute();
}

/** Returns the condition that a row is this limit of its tier, of the organization or of one of its keys. */
function isOne({ appliesTo, unit, window }: LimitOfTier) {
  const whose =
    appliesTo === 'new_keys'
      ? sql`(key_id IS NOT NULL OR applies_to = 'new_keys')`
      : sql`(key_id IS NULL AND applies_to = 'requests')`;
  return sql<boolean>`(${whose} AND unit = ${unit} AND window_kind = ${window})`;
}

/** Returns the keys under which the organizations' keys share their limits. */
async function firstKeysOf(db: Kysely<Database>, orgIds: readonly string[]) {
  const { rows } = await sql<{ orgId: string; keyId: string }>`
    SELECT DISTINCT org_id AS "orgId", COALESCE(first_key_id, key_id) AS "keyId" FROM api_keys
    WHERE org_id IN (${sql.join(orgIds)}) AND status = 'active'`.execute(db);
  return rows;
}

/**
 * Gives some of the organizations that have other limits than their tier in the settings file those of the file. Returns
 * whether there may be more.
 */
export const followTiers = (db: Kysely<Database>, tiers: Tiers, nowMs: number): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    for (const tier of tiers.all) {
      const ofTier = transaction.selectFrom('organizations').select('orgId').where('tier', '=', tier.name);
      // Each part is a range of the index.
      const [before, after] = (['<', '>'] as const).map((side) =>
        ofTier.where('tierLimits', side, markOf(tier)),
      );
      const some = await before!.unionAll(after!).limit(organizationsPerStep).execute();
      const orgIds = some.map(({ orgId }) => orgId).toSorted();
      if (orgIds.length > 0) await applyTier(transaction, tier, orgIds, nowMs);
      if (orgIds.length === organizationsPerStep) return true;
    }
    return false;
  });
