import { columnTypes, type Migration } from './migration.ts';

/** Without its token, a revoked key can't become valid again, whatever its row is changed to. */
const destroyTokens = {
  sqlite: `UPDATE api_keys SET token = x'' WHERE status = 'revoked' AND length(token) > 0`,
  postgres: `UPDATE api_keys SET token = '' WHERE status = 'revoked' AND length(token) > 0`,
};

/**
 * Destroys the token whenever a key is revoked: by this program, by an older replica, or by a person with a database
 * shell.
 */
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

/** Records which key replaced which. Tokens of release 0.2 and older are re-signed before this step. */
export const keyChains: Migration = {
  version: 5,
  bindsTokens: true,
  statements: (dialect) => [
    // First before the table is locked, because there may be many tokens; then again, for keys revoked meanwhile.
    destroyTokens[dialect],
    `ALTER TABLE api_keys ADD COLUMN rotated_from ${columnTypes[dialect].id}`,
    `ALTER TABLE api_keys ADD COLUMN is_self_made INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE api_keys ADD COLUMN lifetime_ms BIGINT`,
    `CREATE INDEX api_keys_by_predecessor ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL`,
    ...destroyOnRevocation[dialect],
    destroyTokens[dialect],
  ],
};
