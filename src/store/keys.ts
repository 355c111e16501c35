import type { Kysely, Selectable } from 'kysely';
import type { KeyFinder, KeyWithTier } from '../keys/authenticate.ts';
import type { KeyRecord, KeyStatus, KeyStore } from '../keys/keys.ts';
import { moveRevision } from './revision.ts';
import type { Database } from './schema.ts';

export function keyStore(db: Kysely<Database>): KeyStore & KeyFinder {
  return {
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
      const { numUpdatedRows } = await db
        .updateTable('api_keys')
        .set({ status: 'revoked', revoked_at: nowMs })
        .where('key_id', '=', keyId)
        .where('status', '=', 'active')
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return true;
      return (await this.find(keyId)) !== undefined;
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

    async list(orgId) {
      const rows = await db
        .selectFrom('api_keys')
        .leftJoin('key_activity', 'key_activity.key_id', 'api_keys.key_id')
        .selectAll('api_keys')
        .select('key_activity.last_used_at')
        .where('org_id', '=', orgId)
        .orderBy('created_at', 'desc')
        .orderBy('api_keys.key_id')
        .execute();
      return rows.map((row) => {
        const { digest: _digest, token: _token, ...shown } = toRecord(row);
        return { ...shown, lastUsedAt: row.last_used_at };
      });
    },

    async activeKeys(orgId) {
      const rows = await db
        .selectFrom('api_keys')
        .select(['key_id', 'expires_at', 'token'])
        .where('org_id', '=', orgId)
        .where('status', '=', 'active')
        .execute();
      return rows.map((row) => ({ keyId: row.key_id, expiresAt: row.expires_at, token: row.token }));
    },
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
  };
}
