import type { Kysely } from 'kysely';
import { ServiceError } from '../errors.ts';
import { bindTokens, verifiesAny } from '../keys/bind-tokens.ts';
import type { Keyring } from '../keys/keyring.ts';
import { systemClock } from '../lib/clock.ts';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import { tokenStore } from './tokens.ts';

/** Gives an upgrade the keys to re-sign tokens with. */
export interface TokenSigner {
  /** Called only if tokens have to be re-signed. */
  keyring(): Keyring;
  /** Whether to trust rows whose token can't be verified because its signing key is lost. */
  readonly trustsDatabase?: boolean;
}

/**
 * Re-signs all valid tokens, so that they bind the digest of their key. Throws `invalid_request` if the keyring has
 * signed none of them, because upgrading with the wrong signing key would make all API keys useless.
 */
export async function bindBeforeStep(
  db: Kysely<Database>,
  dialect: Dialect,
  signer: TokenSigner,
): Promise<void> {
  const store = tokenStore(db, dialect);
  const [first] = await store.tokensAfter('', 1, 'unbound');
  if (!first) return;
  const keyring = signer.keyring();
  const options = { onlyRecent: false, trustsDatabase: signer.trustsDatabase === true };
  const { bound, orphaned } = await bindTokens(store, keyring, systemClock, options);
  if (bound > 0 || orphaned === 0 || (await verifiesAny(store, keyring))) return;
  throw new ServiceError(
    'invalid_request',
    `SIGNING_KEY has signed none of the ${orphaned} active API keys, which would stop working: set it to the key that the service ` +
      'uses. If that key is lost, run "embedgate migrate --trust-database", which trusts the rows of the API keys in the database',
  );
}
