import { type Kysely, sql } from 'kysely';
import type { KeyFinder, KeyWithTier } from '../keys/authenticate.ts';
import type { KeyStore, KeySummary } from '../keys/keys.ts';
import { pruneEnded } from './ended-keys.ts';
import { folded, readPage } from './keyset.ts';
import { moveRevision, raiseRevision, revoked } from './revision.ts';
import type { Database } from './schema.ts';

const name = folded('api_keys.name');
const listed = {
  orders: { created: sql.ref('api_keys.createdAt'), name },
  id: sql.ref('api_keys.keyId'),
  searched: [name],
};

export function keyStore(db: Kysely<Database>): KeyStore & KeyFinder {
  return {
    organization(orgId) {
      return db
        .selectFrom('organizations')
        .select(['orgId', 'tier', 'revision'])
        .where('orgId', '=', orgId)
        .executeTakeFirst();
    },

    change(orgId, revision, { add, tokens }) {
      return db.transaction().execute(async (transaction) => {
        if (!(await moveRevision(transaction, orgId, revision, tokens))) return false;
        if (add) {
          const row = { ...add, isSelfMade: Number(add.isSelfMade) };
          await transaction.insertInto('api_keys').values(row).execute();
        }
        return true;
      });
    },

    async revoke(keyId, nowMs) {
      const key = await this.find(keyId);
      if (!key) return undefined;
      return db.transaction().execute(async (transaction) => {
        // First, so that no successor is created meanwhile.
        await raiseRevision(transaction, key.orgId);
        const rows = await transaction
          .withRecursive('chain(keyId)', (chain) =>
            chain
              .selectFrom('api_keys')
              .select('keyId')
              .where('keyId', '=', keyId)
              // Not "union all": rows changed by hand could form a circle.
              .union(
                chain
                  .selectFrom('api_keys')
                  .innerJoin('chain', 'chain.keyId', 'api_keys.rotatedFrom')
                  .select('api_keys.keyId')
                  .where('api_keys.isSelfMade', '=', 1)
                  .where('api_keys.orgId', '=', key.orgId),
              ),
          )
          .updateTable('api_keys')
          .set(revoked(nowMs))
          .where('keyId', 'in', (eb) => eb.selectFrom('chain').select('chain.keyId'))
          .where('status', '=', 'active')
          .returning('keyId')
          .execute();
        return rows.map((row) => row.keyId);
      });
    },

    async find(keyId) {
      const row = await db.selectFrom('api_keys').selectAll().where('keyId', '=', keyId).executeTakeFirst();
      return row && toRecord(row);
    },

    async findByDigest(digest): Promise<KeyWithTier | undefined> {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('organizations', 'organizations.orgId', 'api_keys.orgId')
        .selectAll('api_keys')
        .select(['organizations.tier', 'organizations.cacheSecret'])
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    successors(keyId) {
      return db
        .selectFrom('api_keys')
        .select(['keyId', 'status', 'expiresAt'])
        .where('rotatedFrom', '=', keyId)
        .execute();
    },

    async count(orgId, { validAtMs, createdAfterMs, createdBy }) {
      const row = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orgId', '=', orgId)
        .where((eb) =>
          eb.or([
            eb.and([eb('status', '=', 'active'), eb('expiresAt', '>', validAtMs)]),
            eb.and([
              eb('createdAt', '>', createdAfterMs),
              eb('isSelfMade', '<=', createdBy === 'anyone' ? 1 : 0),
            ]),
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    list(orgId, page) {
      return readPage(page, { rows: selectKeys(db, orgId), ...listed }, toSummary);
    },

    async summaries(orgId, keyIds) {
      const found: KeySummary[] = [];
      for (let from = 0; from < keyIds.length; from += idsPerStatement) {
        const some = keyIds.slice(from, from + idsPerStatement);
        const rows = await selectKeys(db, orgId).where('api_keys.keyId', 'in', some).execute();
        found.push(...rows.map(toSummary));
      }
      return found;
    },

    activeKeys(orgId) {
      return db
        .selectFrom('api_keys')
        .select(['keyId', 'expiresAt', 'token', 'digest'])
        .where('orgId', '=', orgId)
        .where('status', '=', 'active')
        .execute();
    },

    pruneEnded: (nowMs, keep, afterOrgId) => pruneEnded(db, { nowMs, keep, afterOrgId }),
  };
}

/** Well under the limits on parameters of both databases. */
const idsPerStatement = 500;

function selectKeys(db: Kysely<Database>, orgId: string) {
  return db
    .selectFrom('api_keys')
    .leftJoin('key_activity', 'key_activity.keyId', 'api_keys.keyId')
    .leftJoin('users', 'users.id', 'api_keys.userId')
    .selectAll('api_keys')
    .select(['key_activity.lastUsedAt', 'users.name as userName'])
    .where('orgId', '=', orgId);
}

type SummaryRow = Database['api_keys'] & Pick<KeySummary, 'lastUsedAt' | 'userName'>;

function toSummary({ digest: _digest, token: _token, ...shown }: SummaryRow): KeySummary {
  return toRecord(shown);
}

function toRecord<R extends { isSelfMade: number }>(row: R): Omit<R, 'isSelfMade'> & { isSelfMade: boolean } {
  return { ...row, isSelfMade: row.isSelfMade === 1 };
}
