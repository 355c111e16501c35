import type { Kysely } from 'kysely';
import { rowsPerStep } from '../database/housekeeping.ts';
import type { Database } from '../database/schema.ts';
import { deleteLimitsWithoutKeys } from '../quota/stored-limits.ts';
import { isOf, raiseRevision } from './revision.ts';

interface Link {
  readonly rotatedFrom: string | null;
  readonly isSelfMade: boolean;
}

/**
 * Deletes some revoked or expired keys of an organization, except the newest `keep`. A key that a valid one
 * made by rotating itself stays, because the valid one must not rotate itself again. A key that replaced a deleted one then counts as replacing
 * its predecessor, so that revoking the predecessor still revokes it. Returns whether there may be more.
 */
export async function pruneEnded(
  db: Kysely<Database>,
  orgId: string | null,
  { nowMs, keep }: { readonly nowMs: number; readonly keep: number },
): Promise<boolean> {
  const ended = (connection: Kysely<Database>) =>
    connection
      .selectFrom('api_keys')
      .where(isOf(orgId))
      .where((eb) => eb.or([eb('status', '=', 'revoked'), eb('expiresAt', '<=', nowMs)]));
  const first = await ended(db)
    .select(['createdAt', 'keyId'])
    .orderBy('createdAt', 'desc')
    .orderBy('keyId', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  if (!first) return false;
  return db.transaction().execute(async (transaction) => {
    await raiseRevision(transaction, orgId);
    const rows = await ended(transaction)
      .where((eb) => eb(eb.refTuple('createdAt', 'keyId'), '<=', eb.tuple(first.createdAt, first.keyId)))
      .where(({ or, eb, not, exists, selectFrom }) =>
        or([
          eb('isSelfMade', '=', 0),
          not(
            exists(
              selectFrom('api_keys as valid')
                .select('valid.keyId')
                .whereRef('valid.keyId', '=', 'api_keys.rotatedFrom')
                .where('valid.status', '=', 'active')
                .where('valid.expiresAt', '>', nowMs),
            ),
          ),
        ]),
      )
      .select(['keyId', 'rotatedFrom', 'isSelfMade'])
      .limit(rowsPerStep)
      .execute();
    if (rows.length === 0) return false;
    const links = new Map(
      rows.map(({ keyId, rotatedFrom, isSelfMade }): [string, Link] => [
        keyId,
        { rotatedFrom, isSelfMade: isSelfMade === 1 },
      ]),
    );
    await joinAround(transaction, links);
    await transaction
      .deleteFrom('api_keys')
      .where('keyId', 'in', [...links.keys()])
      .execute();
    if (orgId !== null) await deleteLimitsWithoutKeys(transaction, orgId);
    return rows.length === rowsPerStep;
  });
}

/** Links each remaining key that replaced one of `links` to the last key before those. */
async function joinAround(transaction: Kysely<Database>, links: ReadonlyMap<string, Link>): Promise<void> {
  const successors = await transaction
    .selectFrom('api_keys')
    .select(['keyId', 'rotatedFrom'])
    .where('rotatedFrom', 'in', [...links.keys()])
    .execute();
  for (const { keyId, rotatedFrom } of successors) {
    if (links.has(keyId)) continue;
    await transaction
      .updateTable('api_keys')
      .set({ rotatedFrom: originOf(rotatedFrom, links) })
      .where('keyId', '=', keyId)
      .execute();
  }
}

/**
 * Returns the last key before `links`. Null: a person created one of the keys between, so revocations don't pass it.
 */
function originOf(keyId: string | null, links: ReadonlyMap<string, Link>): string | null {
  let origin = keyId;
  for (let steps = 0; origin !== null && steps <= links.size; steps++) {
    const link = links.get(origin);
    if (!link) return origin;
    origin = link.isSelfMade ? link.rotatedFrom : null;
  }
  return null;
}
