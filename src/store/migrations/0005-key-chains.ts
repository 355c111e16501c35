import { columnTypes, type Migration } from './migration.ts';

/** A revoked key is of no use again, whatever its row says later: its token is gone. */
const destroyTokens = {
  sqlite: `UPDATE api_keys SET token = x'' WHERE status = 'revoked' AND length(token) > 0`,
  postgres: `UPDATE api_keys SET token = '' WHERE status = 'revoked' AND length(token) > 0`,
};

/** For whoever revokes a key: this program, an older one beside it, or a person with a database shell. */
const destroyOnRevocation = {
  sqlite: [
    `CREATE TRIGGER api_keys_revoked AFTER UPDATE OF status ON api_keys WHEN NEW.status = 'revoked'
     BEGIN UPDATE api_keys SET token = x'' WHERE key_id = NEW.key_id; END`,
  ],
  postgres: [
    `CREATE FUNCTION destroy_token() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.token := '';
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER api_keys_revoked BEFORE UPDATE OF status ON api_keys
     FOR EACH ROW WHEN (NEW.status = 'revoked') EXECUTE FUNCTION destroy_token()`,
  ],
};

/** Which key was made in place of which. The tokens of release 0.2 and older are issued again before this step. */
export const keyChains: Migration = {
  version: 5,
  bindsTokens: true,
  statements: (dialect) => [
    // Before the table is locked, since there may be many; and again, for what was revoked until then.
    destroyTokens[dialect],
    `ALTER TABLE api_keys ADD COLUMN rotated_from ${columnTypes[dialect].id}`,
    `ALTER TABLE api_keys ADD COLUMN is_self_made INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE api_keys ADD COLUMN lifetime_ms BIGINT`,
    `CREATE INDEX api_keys_by_predecessor ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL`,
    ...destroyOnRevocation[dialect],
    destroyTokens[dialect],
  ],
};
