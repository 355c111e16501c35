import type { Kysely, Selectable } from 'kysely';
import type { KeyFinder, KeyWithTier } from '../keys/authenticate.ts';
import type { KeyRecord, KeyStatus, KeyStore } from '../keys/keys.ts';
import { pruneEnded } from './ended-keys.ts';
import type { Dialect } from './migrations/migration.ts';
import { moveRevision, raiseRevision } from './revision.ts';
import { revoked } from './revoked.ts';
import type { Database } from './schema.ts';
import { tokenStore } from './tokens.ts';

export function keyStore(db: Kysely<Database>, dialect: Dialect): KeyStore & KeyFinder {
  return {
    ...tokenStore(db, dialect),

    async organization(orgId) {
      const row = await db
        .selectFrom('organizations')
        .select(['org_id', 'tier', 'revision'])
        .where('org_id', '=', orgId)
        .executeTakeFirst();
      return row && { orgId: row.org_id, tier: row.tier, revision: row.revision };
    },

    change(orgId, revision, { add, tokens }) {
      return db.transaction().execute(async (transaction) => {
        if (!(await moveRevision(transaction, orgId, revision, tokens))) return false;
        if (add) await transaction.insertInto('api_keys').values(toRow(add)).execute();
        return true;
      });
    },

    async revoke(keyId, nowMs) {
      const key = await this.find(keyId);
      if (!key) return undefined;
      return db.transaction().execute(async (transaction) => {
        // First, so that no successor is made meanwhile.
        await raiseRevision(transaction, key.orgId);
        const rows = await transaction
          .withRecursive('chain(key_id)', (chain) =>
            chain
              .selectFrom('api_keys')
              .select('key_id')
              .where('key_id', '=', keyId)
              // Not "union all": rows that somebody has changed could go in circles.
              .union(
                chain
                  .selectFrom('api_keys')
                  .innerJoin('chain', 'chain.key_id', 'api_keys.rotated_from')
                  .select('api_keys.key_id')
                  .where('api_keys.is_self_made', '=', 1)
                  .where('api_keys.org_id', '=', key.orgId),
              ),
          )
          .updateTable('api_keys')
          .set(revoked(nowMs))
          .where('key_id', 'in', (eb) => eb.selectFrom('chain').select('chain.key_id'))
          .where('status', '=', 'active')
          .returning('key_id')
          .execute();
        return rows.map((row) => row.key_id);
      });
    },

    async find(keyId) {
      const row = await db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst();
      return row && toRecord(row);
    },

    async findByDigest(digest): Promise<KeyWithTier | undefined> {
      const row = await db
        .selectFrom('api_keys')
        .innerJoin('organizations', 'organizations.org_id', 'api_keys.org_id')
        .selectAll('api_keys')
        .select('organizations.tier')
        .where('digest', '=', digest)
        .executeTakeFirst();
      return row && { ...toRecord(row), tier: row.tier };
    },

    async successors(keyId) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_id', 'status', 'expires_at'])
        .where('rotated_from', '=', keyId)
        .execute();
      return rows.map((row) => ({
        keyId: row.key_id,
        status: row.status as KeyStatus,
        expiresAt: row.expires_at,
      }));
    },

    async count(orgId, { validAtMs, createdAfterMs, createdBy }) {
      const row = await db
        .selectFrom('api_keys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('org_id', '=', orgId)
        .where((eb) =>
          eb.or([
            eb.and([eb('status', '=', 'active'), eb('expires_at', '>', validAtMs)]),
            eb.and([
              eb('created_at', '>', createdAfterMs),
              eb('is_self_made', '<=', createdBy === 'anyone' ? 1 : 0),
            ]),
          ]),
        )
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async list(orgId, keyId) {
      const rows = await db
        .selectFrom('api_keys')
        .leftJoin('key_activity', 'key_activity.key_id', 'api_keys.key_id')
        .leftJoin('users', 'users.id', 'api_keys.user_id')
        .selectAll('api_keys')
        .select(['key_activity.last_used_at', 'users.name as user_name'])
        .where('org_id', '=', orgId)
        .$if(keyId !== undefined, (query) => query.where('api_keys.key_id', '=', keyId!))
        .orderBy('api_keys.created_at', 'desc')
        .orderBy('api_keys.key_id')
        .execute();
      return rows.map((row) => {
        const { digest: _digest, token: _token, ...shown } = toRecord(row);
        return { ...shown, lastUsedAt: row.last_used_at, userName: row.user_name };
      });
    },

    async activeKeys(orgId) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_id', 'expires_at', 'token', 'digest'])
        .where('org_id', '=', orgId)
        .where('status', '=', 'active')
        .execute();
      return rows.map((row) => ({
        keyId: row.key_id,
        expiresAt: row.expires_at,
        token: row.token,
        digest: row.digest,
      }));
    },

    pruneEnded: (nowMs, keep, afterOrgId) => pruneEnded(db, { nowMs, keep, afterOrgId }),
  };
}

function toRow(key: KeyRecord): Selectable<Database['api_keys']> {
  return {
    key_id: key.keyId,
    org_id: key.orgId,
    user_id: key.userId,
    name: key.name,
    digest: key.digest,
    hint: key.hint,
    token: key.token,
    status: key.status,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    rotated_from: key.rotatedFrom,
    is_self_made: Number(key.isSelfMade),
    lifetime_ms: key.lifetimeMs,
  };
}

function toRecord(row: Selectable<Database['api_keys']>): KeyRecord {
  return {
    keyId: row.key_id,
    orgId: row.org_id,
    userId: row.user_id,
    name: row.name,
    digest: row.digest,
    hint: row.hint,
    token: row.token,
    status: row.status as KeyStatus,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    rotatedFrom: row.rotated_from,
    isSelfMade: row.is_self_made === 1,
    lifetimeMs: row.lifetime_ms,
  };
}
