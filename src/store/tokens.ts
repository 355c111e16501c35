import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { TokenStore } from '../keys/bind-tokens.ts';
import { confirmationMethod } from '../keys/cwt.ts';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';

// The database filters, because nearly all tokens bind their digest.
const mark = Buffer.from(confirmationMethod);
const isUnbound: Readonly<Record<Dialect, RawBuilder<boolean>>> = {
  sqlite: sql<boolean>`instr(token, ${mark}) = 0`,
  postgres: sql<boolean>`position(${mark}::BYTEA IN token) = 0`,
};

/** Works with the schemas of all releases, because an upgrade uses it before its steps. */
export function tokenStore(db: Kysely<Database>, dialect: Dialect): TokenStore {
  return {
    async tokensAfter(keyId, limit, only) {
      return db
        .selectFrom('api_keys')
        .innerJoin('organizations', 'organizations.orgId', 'api_keys.orgId')
        .select(['keyId', 'api_keys.orgId', 'tier', 'expiresAt', 'digest', 'token'])
        .where('status', '=', 'active')
        .where('keyId', '>', keyId)
        .$if(only === 'unbound', (query) => query.where(isUnbound[dialect]))
        .orderBy('keyId')
        .limit(limit)
        .execute();
    },

    replaceTokens(replacements) {
      const orgIds = [...new Set(replacements.map(({ orgId }) => orgId))];
      return db.transaction().execute(async (transaction) => {
        // Every change of several keys locks their organization first; in order of ids, to prevent deadlocks.
        if (dialect === 'postgres') {
          await transaction
            .selectFrom('organizations')
            .select('orgId')
            .where('orgId', 'in', orgIds)
            .orderBy('orgId')
            .forNoKeyUpdate()
            .execute();
        }
        for (const { keyId, before, token } of replacements) {
          await transaction
            .updateTable('api_keys')
            .set({ token })
            .where('keyId', '=', keyId)
            .where('token', '=', before)
            .where('status', '=', 'active')
            .execute();
        }
      });
    },
  };
}
