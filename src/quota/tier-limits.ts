import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/schema.ts';
import { newId } from '../lib/ids.ts';
import type { LimitOfTier } from './limit.ts';
import { scopeId } from './stored-limits.ts';
import type { Tier, Tiers } from './tiers.ts';

const organizationsPerStep = 200;
/** Each row has 13 parameters of a statement. */
const rowsPerStatement = 500;

/**
 * Gives organizations the limits of their tier, and removes those of another one. A limit that both tiers have keeps what
 * it has counted. Runs in the caller's transaction.
 */
export async function applyTier(
  db: Kysely<Database>,
  tier: Tier | undefined,
  orgIds: readonly string[],
  createdAt: number,
): Promise<void> {
  const wanted = tier?.limits ?? [];
  await db
    .deleteFrom('limits')
    .where('orgId', 'in', orgIds)
    .where('setBy', '=', 'tier')
    .where(({ not, or }) => not(or(wanted.map(isOne))))
    .execute();
  const ofKeys = wanted.filter(({ appliesTo }) => appliesTo === 'new_keys');
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
    ...orgIds.flatMap((orgId) => wanted.map((limit) => rowOf(orgId, null, limit))),
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
 * If the tiers have other limits than at the last start, gives the next organizations after `after` those of their tiers.
 * Returns the last of them, or null after all of them.
 */
export async function followTiers(
  db: Kysely<Database>,
  tiers: Tiers,
  after: string,
  nowMs: number,
): Promise<string | null> {
  const limits = tiers.all.filter((tier) => tier.limits.length > 0).map((tier) => [tier.name, tier.limits]);
  const tierLimits = limits.length === 0 ? null : JSON.stringify(limits);
  const last = await db.selectFrom('installation').select('tierLimits').executeTakeFirst();
  if ((last?.tierLimits ?? null) === tierLimits) return null;
  return db.transaction().execute(async (transaction) => {
    const some = await transaction
      .selectFrom('organizations')
      .select(['orgId', 'tier'])
      .where('orgId', '>', after)
      .orderBy('orgId')
      .limit(organizationsPerStep)
      .execute();
    for (const [name, of] of Map.groupBy(some, ({ tier }) => tier)) {
      const orgIds = of.map(({ orgId }) => orgId);
      await applyTier(transaction, tiers.find(name), orgIds, nowMs);
    }
    if (some.length === organizationsPerStep) return some.at(-1)!.orgId;
    await transaction.updateTable('installation').set({ tierLimits }).execute();
    return null;
  });
}
