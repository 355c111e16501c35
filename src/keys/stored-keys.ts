import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { keysOf } from '../../packages/small/src/json.ts';
import { audited, writeEntry } from '../database/audit.ts';
import { folded, matchesAny, readPage } from '../database/keyset.ts';
import type { Database } from '../database/schema.ts';
import { changesAny, isOperator } from '../database/sql.ts';
import { operatorName } from '../lib/operator.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { addLimitsOfNewKey } from '../quota/stored-limits.ts';
import { dayOf } from '../quota/window.ts';
import type { KeyWithTier } from './authenticate.ts';
import { pruneEnded } from './ended-keys.ts';
import {
  type ActiveKey,
  type KeyCounts,
  type KeyFilter,
  type KeyOwner,
  type KeyRecord,
  type KeySummary,
  type KeysAsked,
  keyFilters,
  type LinkedKey,
  recentDays,
  type SampledKey,
  type TokenChange,
  takenSecret,
} from './key.ts';
import { toRecord, toRow } from './key-rows.ts';
import { isOf, moveRevision, raiseRevision, revoked } from './revision.ts';

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
  searchedAtStart: [folded('api_keys.userId')],
};

/** The keys. keys/keys.ts signs what changes them. */
export function keysIn(db: Kysely<Database>) {
  /** Returns those of an organization's keys that have one of the ids, in any order. */
  const summaries = async (orgId: string | null, keyIds: readonly string[]): Promise<KeySummary[]> => {
    const found: KeySummary[] = [];
    for (let from = 0; from < keyIds.length; from += idsPerStatement) {
      const some = keyIds.slice(from, from + idsPerStatement);
      const rows = await selectKeys(db, orgId).where('api_keys.keyId', 'in', some).execute();
      found.push(...rows.map(toSummary));
    }
    return found;
  };
  return {
    async owner(orgId: string | null): Promise<KeyOwner | undefined> {
      if (orgId === null) {
        const row = await db.selectFrom('installation').select('revision').executeTakeFirst();
        return row && { orgId, tier: '', revision: row.revision };
      }
      return db
        .selectFrom('organizations')
        .select(['orgId', 'tier', 'revision'])
        .where('orgId', '=', orgId)
        .executeTakeFirst();
    },

    /**
     * Applies the changes in one transaction if the organization is still at `revision`; otherwise returns false and
     * changes nothing.
     */
    change(
      orgId: string | null,
      revision: number,
      { add, tokens }: { add?: KeyRecord; tokens: TokenChange[] },
    ): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        if (!(await moveRevision(transaction, orgId, revision, tokens, add))) return false;
        if (add) {
          const insertion = transaction.insertInto('api_keys').values(toRow(add));
          // Another organization can have added a key with this secret since the caller looked for one.
          if (!(await changesAny(insertion.onConflict((conflict) => conflict.column('digest').doNothing()))))
            throw takenSecret();
          await writeEntry(transaction, 'key.create', { after: add });
          if (add.firstKeyId === null && add.orgId !== null)
            await addLimitsOfNewKey(transaction, { ...add, orgId: add.orgId });
        }
        return true;
      });
    },

    /**
     * Revokes a key and every key that it created by rotating itself, destroys their tokens, and returns the ids of those
     * that were active. Undefined: no such key. A key that was already revoked keeps its first `revokedAt`.
     */
    async revoke(keyId: string, nowMs: number): Promise<string[] | undefined> {
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
                  .where(isOf(key.orgId)),
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

    async find(keyId: string): Promise<KeyRecord | undefined> {
      const row = await db.selectFrom('api_keys').selectAll().where('keyId', '=', keyId).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Records that someone makes a link to the key. */
    noteLink: ({ keyId, orgId, name }: KeyRecord): Promise<void> =>
      writeEntry(db, 'key.create-link', { after: { keyId, orgId, name } }),

    async findByDigest(digest: string): Promise<KeyWithTier | undefined> {
      const row = await db
        .selectFrom('api_keys')
        .leftJoin('organizations', 'organizations.orgId', 'api_keys.orgId')
        .selectAll('api_keys')
        .select(['organizations.tier', 'organizations.cacheSecret', 'organizations.suspended'])
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row && toRecord({ ...row, tier: row.tier ?? '', cacheSecret: row.cacheSecret ?? '' });
    },

    /** Returns the key with an external id, unless it was revoked. */
    async named(orgId: string | null, externalId: string): Promise<KeyRecord | undefined> {
      const rows = db.selectFrom('api_keys').selectAll().where(isOf(orgId));
      const row = await rows.where((eb) => eb.and({ externalId, status: 'active' })).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Returns the keys that replaced `keyId`. */
    async successors(keyId: string): Promise<KeyRecord[]> {
      const rows = await db.selectFrom('api_keys').selectAll().where('rotatedFrom', '=', keyId).execute();
      return rows.map(toRecord);
    },

    async countValid(orgId: string | null, nowMs: number): Promise<number> {
      const row = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(isOf(orgId))
        .where('status', '=', 'active')
        .where('expiresAt', '>', nowMs)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    /** The order `requests` is by the requests with a result in the last `recentDays` days. */
    list(orgId: string | null, asked: KeysAsked, page: PageRequest): Promise<Page<KeySummary>> {
      const { status, nowMs } = asked;
      let rows = selectKeys(db, orgId).where(named(asked));
      if (status !== undefined) rows = rows.where(keysThatAre(nowMs)[status]);
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

    /** Counts the keys that match the search, whatever their status. */
    async counts(
      orgId: string | null,
      asked: KeysAsked,
      { search, id }: Pick<PageRequest, 'search' | 'id'>,
    ): Promise<KeyCounts> {
      const are = keysThatAre(asked.nowMs);
      const row = await db
        .selectFrom('api_keys')
        .leftJoin('key_activity', 'key_activity.keyId', 'api_keys.keyId')
        .select((eb) => eb.fn.countAll<number>().as('all'))
        .select(
          keysOf(are).map((status) => sql<number>`COUNT(CASE WHEN ${are[status]} THEN 1 END)`.as(status)),
        )
        .where(isOf(orgId))
        .where(named(asked))
        .$if(search !== null, (query) => query.where(matchesAny(listed, search ?? '')))
        .$if(id !== null, (query) => query.where('api_keys.keyId', '=', id))
        .executeTakeFirstOrThrow();
      const counts = row as Record<KeyFilter | 'all', number>;
      return Object.fromEntries(
        [...keyFilters, 'all' as const].map((status) => [status, Number(counts[status])]),
      ) as KeyCounts;
    },

    /** Returns the keys of a chain of rotations, oldest first: the newest `limit` of them. */
    async chain(orgId: string | null, firstKeyId: string, limit: number): Promise<LinkedKey[]> {
      const rows = await db
        .selectFrom('api_keys')
        .select(['keyId', 'name', 'hint', 'status', 'createdAt', 'expiresAt'])
        .where(isOf(orgId))
        .where((eb) => eb.or([eb('keyId', '=', firstKeyId), eb('firstKeyId', '=', firstKeyId)]))
        .orderBy('createdAt', 'desc')
        .orderBy('keyId', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse();
    },

    summaries,

    /** Returns some keys of all organizations that have a digest or a hint. */
    async alike(by: 'digest' | 'hint', value: string): Promise<KeySummary[]> {
      const rows = await db
        .selectFrom('api_keys')
        .select(['orgId', 'keyId'])
        .where(by, '=', value)
        .limit(maxAlike)
        .execute();
      const found = rows.map(({ orgId, keyId }) => summaries(orgId, [keyId]));
      return (await Promise.all(found)).flat();
    },

    async activeKeys(orgId: string | null): Promise<ActiveKey[]> {
      const rows = await db
        .selectFrom('api_keys')
        .select(['keyId', 'expiresAt', 'token', 'digest', 'scopes', 'models', 'networks', 'enabled'])
        .where(isOf(orgId))
        .where('status', '=', 'active')
        .execute();
      return rows.map(toRecord);
    },

    /** Returns the valid keys of all organizations that expire first and those that expire last, `limit` of each. */
    async sample(nowMs: number, limit: number): Promise<SampledKey[]> {
      const ends = (['asc', 'desc'] as const).map((order) =>
        db
          .selectFrom('api_keys')
          .select(['keyId', 'token', 'defaultModel', 'scopes', 'models', 'networks', 'enabled'])
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

    /**
     * Deletes some of an organization's revoked or expired keys, except the newest `keep`. Returns whether there may be
     * more.
     */
    pruneEnded: (orgId: string | null, nowMs: number, keep: number): Promise<boolean> =>
      pruneEnded(db, orgId, { nowMs, keep }),
  };
}

/** Returns the condition of the filters by name. */
const named = ({ userId, externalId }: KeysAsked) => sql<SqlBool>`1 = 1
  ${userId === undefined ? sql`` : sql`AND api_keys.user_id = ${userId}`}
  ${externalId === undefined ? sql`` : sql`AND api_keys.external_id = ${externalId}`}`;

/** Returns the condition of each status. */
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

/** Customers don't learn who acts for the operator. */
const userName = sql<string | null>`CASE WHEN api_keys.org_id IS NOT NULL
  AND ${isOperator(sql.ref('api_keys.userId'), sql.ref('api_keys.orgId'))}
  THEN ${sql.lit(operatorName)} ELSE users.name END`;

function selectKeys(db: Kysely<Database>, orgId: string | null) {
  return db
    .selectFrom('api_keys')
    .leftJoin('key_activity', 'key_activity.keyId', 'api_keys.keyId')
    .leftJoin('users', 'users.id', 'api_keys.userId')
    .selectAll('api_keys')
    .select('key_activity.lastUsedAt')
    .select(userName.as('userName'))
    .where(isOf(orgId));
}

type SummaryRow = Database['api_keys'] & Pick<KeySummary, 'lastUsedAt' | 'userName'>;

function toSummary({ digest: _digest, token: _token, ...shown }: SummaryRow): KeySummary {
  return toRecord(shown);
}
