import type { Kysely } from 'kysely';
import { someOrganizations } from './each-organization.ts';
import { raiseRevision } from './revision.ts';
import { rowsPerStep } from './rows-per-step.ts';
import type { Database } from './schema.ts';

interface Link {
  readonly rotatedFrom: string | null;
  readonly isSelfMade: boolean;
}

interface Pruning {
  readonly nowMs: number;
  /** How many keys that have ended each organization keeps. */
  readonly keep: number;
  readonly afterOrgId: string;
}

/**
 * A step of deleting keys that are revoked or have expired, but for the last of each organization. A key stays that came from one which is
 * still valid: that one has rotated itself, and may not do so again. What has come from a deleted key now comes from the one before
 * it, so that the revocation of that one reaches it. Returns where the next step begins; null: there is none.
 */
export function pruneEnded(
  db: Kysely<Database>,
  { nowMs, keep, afterOrgId }: Pruning,
): Promise<string | null> {
  return someOrganizations(db, afterOrgId, async (orgId) => {
    const ended = (connection: Kysely<Database>) =>
      connection
        .selectFrom('api_keys')
        .where('org_id', '=', orgId)
        .where((eb) => eb.or([eb('status', '=', 'revoked'), eb('expires_at', '<=', nowMs)]));
    const first = await ended(db)
      .select(['created_at', 'key_id'])
      .orderBy('created_at', 'desc')
      .orderBy('key_id', 'desc')
      .limit(1)
      .offset(keep)
      .executeTakeFirst();
    if (!first) return false;
    return db.transaction().execute(async (transaction) => {
      await raiseRevision(transaction, orgId);
      const rows = await ended(transaction)
        .where((eb) =>
          eb(eb.refTuple('created_at', 'key_id'), '<=', eb.tuple(first.created_at, first.key_id)),
        )
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
        .select(['key_id', 'rotated_from', 'is_self_made'])
        .limit(rowsPerStep)
        .execute();
      if (rows.length === 0) return false;
      const links = new Map(
        rows.map((row): [string, Link] => [
          row.key_id,
          { rotatedFrom: row.rotated_from, isSelfMade: row.is_self_made === 1 },
        ]),
      );
      await joinAround(transaction, links);
      await transaction
        .deleteFrom('api_keys')
        .where('key_id', 'in', [...links.keys()])
        .execute();
      return rows.length === rowsPerStep;
    });
  });
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
