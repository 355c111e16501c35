import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { keysOf } from '../../packages/small/src/json.ts';
import type { KeyFinder, KeyWithTier } from '../keys/authenticate.ts';
import {
  type KeyCounts,
  type KeyFilter,
  type KeyStore,
  type KeySummary,
  keyFilters,
  recentDays,
} from '../keys/key.ts';
import { dayOf } from '../quota/window.ts';
import { audited, writeEntry } from './audit.ts';
import { pruneEnded } from './ended-keys.ts';
import { toRecord, toRow } from './key-rows.ts';
import { anyContains, folded, readPage } from './keyset.ts';
import { addLimitsOfNewKey } from './limits.ts';
import { moveRevision, raiseRevision, revoked } from './revision.ts';
import type { Database } from './schema.ts';

const name = folded('api_keys.name');
const listed = {
  orders: {
    created: sql.ref('api_keys.createdAt'),
    name,
    last_used: sql`COALESCE(key_activity.last_used_at, 0)`,
    expires: sql.ref('api_keys.expiresAt'),
    requests: sql`COALESCE(recent.requests, 0)`,
  },
  id: sql.ref('api_keys.keyId'),
  searched: [name, folded('api_keys.hint')],
};

export function keyStore(db: Kysely<Database>): KeyStore & KeyFinder {
  const summaries = async (orgId: string, keyIds: readonly string[]): Promise<KeySummary[]> => {
    const found: KeySummary[] = [];
    for (let from = 0; from < keyIds.length; from += idsPerStatement) {
      const some = keyIds.slice(from, from + idsPerStatement);
      const rows = await selectKeys(db, orgId).where('api_keys.keyId', 'in', some).execute();
      found.push(...rows.map(toSummary));
    }
    return found;
  };
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
        if (!(await moveRevision(transaction, orgId, revision, tokens, add))) return false;
        if (add) {
          await transaction.insertInto('api_keys').values(toRow(add)).execute();
          await writeEntry(transaction, 'key.create', { after: add });
          if (add.firstKeyId === null) await addLimitsOfNewKey(transaction, add);
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
        const revocation = transaction
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
          .returning(['orgId', 'keyId', 'name', 'status']);
        const rows = await audited(transaction, 'key.revoke', revocation);
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

    async successors(keyId) {
      const rows = await db.selectFrom('api_keys').selectAll().where('rotatedFrom', '=', keyId).execute();
      return rows.map(toRecord);
    },

    async countValid(orgId, nowMs) {
      const row = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('orgId', '=', orgId)
        .where('status', '=', 'active')
        .where('expiresAt', '>', nowMs)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    list(orgId, { status, nowMs }, page) {
      let rows = selectKeys(db, orgId);
      if (status !== null) rows = rows.where(keysThatAre(nowMs)[status]);
      if (page.order === 'requests') {
        // Summed once for all keys: no index finds the usage of one key.
        const recent = sql<{
          keyId: string;
        }>`(SELECT key_id, CAST(SUM(counted + cached) AS BIGINT) AS requests
          FROM usage_records WHERE org_id = ${orgId} AND day > ${dayOf(nowMs) - recentDays} GROUP BY key_id)`;
        rows = rows.leftJoin(recent.as('recent'), (join) =>
          join.onRef('recent.keyId', '=', 'api_keys.keyId'),
        ) as unknown as typeof rows;
      }
      return readPage(db, page, { rows, ...listed, isCounted: false }, toSummary);
    },

    async counts(orgId, nowMs, { search, id }) {
      const are = keysThatAre(nowMs);
      const row = await db
        .selectFrom('api_keys')
        .leftJoin('key_activity', 'key_activity.keyId', 'api_keys.keyId')
        .select((eb) => eb.fn.countAll<number>().as('all'))
        .select(
          keysOf(are).map((status) => sql<number>`COUNT(CASE WHEN ${are[status]} THEN 1 END)`.as(status)),
        )
        .where('orgId', '=', orgId)
        .$if(search !== null, (query) => query.where(anyContains(listed.searched, search ?? '')))
        .$if(id !== null, (query) => query.where('api_keys.keyId', '=', id))
        .executeTakeFirstOrThrow();
      const counts = row as Record<KeyFilter | 'all', number>;
      return Object.fromEntries(
        [...keyFilters, 'all' as const].map((status) => [status, Number(counts[status])]),
      ) as KeyCounts;
    },

    async chain(orgId, firstKeyId, limit) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['keyId', 'name', 'hint', 'status', 'createdAt', 'expiresAt'])
        .where('orgId', '=', orgId)
        .where((eb) => eb.or([eb('keyId', '=', firstKeyId), eb('firstKeyId', '=', firstKeyId)]))
        .orderBy('createdAt', 'desc')
        .orderBy('keyId', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse();
    },

    summaries,

    async alike(by, value) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['orgId', 'keyId'])
        .where(by, '=', value)
        .limit(maxAlike)
        .execute();
      const found = rows.map(({ orgId, keyId }) => summaries(orgId, [keyId]));
      return (await Promise.all(found)).flat();
    },

    async activeKeys(orgId) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['keyId', 'expiresAt', 'token', 'digest', 'scopes', 'models', 'enabled'])
        .where((eb) => eb.and({ orgId, status: 'active' }))
        .execute();
      return rows.map(toRecord);
    },

    async sample(nowMs, limit) {
      const ends = (['asc', 'desc'] as const).map((order) =>
        db
          .selectFrom('api_keys')
          .select(['keyId', 'token', 'defaultModel', 'scopes', 'models', 'enabled'])
          // SQLite uses the index only for a condition without a parameter.
          .where('status', '=', sql.lit('active'))
          .where('expiresAt', '>', nowMs)
          .orderBy('expiresAt', order)
          .orderBy('keyId', order)
          .limit(limit)
          .execute(),
      );
      const rows = (await Promise.all(ends)).flat();
      return [...new Map(rows.map((row) => [row.keyId, toRecord(row)])).values()];
    },

    pruneEnded: (orgId, nowMs, keep) => pruneEnded(db, orgId, { nowMs, keep }),
  };
}

/** Returns the condition of each filter. */
function keysThatAre(nowMs: number): Record<KeyFilter, RawBuilder<SqlBool>> {
  const recentMs = recentDays * 86_400_000;
  const isActive = sql<SqlBool>`api_keys.status = 'active' AND api_keys.expires_at > ${nowMs}`;
  return {
    active: isActive,
    expiring: sql`${isActive} AND api_keys.expires_at <= ${nowMs + recentMs}`,
    unused: sql`${isActive} AND COALESCE(key_activity.last_used_at, api_keys.created_at) <= ${nowMs - recentMs}`,
    revoked: sql`(api_keys.status = 'revoked' OR api_keys.expires_at <= ${nowMs})`,
  };
}

/** A hint is a part of a secret, so few keys share one. */
const maxAlike = 20;
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
