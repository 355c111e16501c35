import type { ExpressionBuilder, Kysely } from 'kysely';
import { raiseRevision } from './revision.ts';
import type { Database } from './schema.ts';

/** Bounds a transaction. */
const maxDeletedAtATime = 500;

interface Link {
  readonly rotatedFrom: string | null;
  readonly isSelfMade: boolean;
}

/**
 * Deletes keys that are revoked or have expired, but for the last `keep` of each organization. A key stays that came from one which is still
 * valid: that one has rotated itself, and may not do so again. What has come from a deleted key now comes from the one before it, so
 * that the revocation of that one reaches it.
 */
export async function pruneEnded(db: Kysely<Database>, nowMs: number, keep: number): Promise<void> {
  const hasEnded = (eb: ExpressionBuilder<Database, 'api_keys'>) =>
    eb.or([eb('api_keys.status', '=', 'revoked'), eb('api_keys.expires_at', '<=', nowMs)]);
  const crowded = await db
    .selectFrom('api_keys')
    .where(hasEnded)
    .select('org_id')
    .groupBy('org_id')
    .having((eb) => eb.fn.countAll<number>(), '>', keep)
    .execute();
  for (const { org_id: orgId } of crowded) {
    await db.transaction().execute(async (transaction) => {
      await raiseRevision(transaction, orgId);
      const kept = transaction
        .selectFrom('api_keys')
        .select('key_id')
        .where(hasEnded)
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('key_id', 'desc')
        .limit(keep);
      const ended = await transaction
        .selectFrom('api_keys')
        .select(['key_id', 'rotated_from', 'is_self_made'])
        .where('org_id', '=', orgId)
        .where(hasEnded)
        .where('key_id', 'not in', kept)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('api_keys as valid')
                .select('valid.key_id')
                .whereRef('valid.key_id', '=', 'api_keys.rotated_from')
                .where('valid.status', '=', 'active')
                .where('valid.expires_at', '>', nowMs),
            ),
          ),
        )
        .orderBy('created_at')
        .orderBy('key_id')
        .limit(maxDeletedAtATime)
        .execute();
      if (ended.length === 0) return;
      const links = new Map(
        ended.map((row): [string, Link] => [
          row.key_id,
          { rotatedFrom: row.rotated_from, isSelfMade: row.is_self_made === 1 },
        ]),
      );
      await joinAround(transaction, links);
      await transaction
        .deleteFrom('api_keys')
        .where('key_id', 'in', [...links.keys()])
        .execute();
    });
  }
}

/** Lets each key that stays, and came from one of `links`, come from the last key before those. */
async function joinAround(transaction: Kysely<Database>, links: ReadonlyMap<string, Link>): Promise<void> {
  const successors = await transaction
    .selectFrom('api_keys')
    .select(['key_id', 'rotated_from'])
    .where('rotated_from', 'in', [...links.keys()])
    .execute();
  for (const { key_id: keyId, rotated_from: rotatedFrom } of successors) {
    if (links.has(keyId)) continue;
    await transaction
      .updateTable('api_keys')
      .set({ rotated_from: originOf(rotatedFrom, links) })
      .where('key_id', '=', keyId)
      .execute();
  }
}

/** Null where a person has made one of the keys between: the revocation of those before did not reach it. */
function originOf(keyId: string | null, links: ReadonlyMap<string, Link>): string | null {
  let origin = keyId;
  for (let steps = 0; origin !== null && steps <= links.size; steps++) {
    const link = links.get(origin);
    if (!link) return origin;
    origin = link.isSelfMade ? link.rotatedFrom : null;
  }
  return null;
}
