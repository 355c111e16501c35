import type { Kysely } from 'kysely';
import { ServiceError } from '../errors.ts';
import { bindTokens, verifiesAny } from '../keys/bind-tokens.ts';
import { systemClock } from '../lib/clock.ts';
import type { Dialect } from './migrations/migration.ts';
import type { Database } from './schema.ts';
import type { TokenSigner } from './token-signer.ts';
import { tokenStore } from './tokens.ts';

/**
 * Issues all valid tokens again, so that they bind their key's digest. Throws `invalid_request` when the keyring has signed none of
 * them: with another key the upgrade would make all API keys useless.
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
      'uses. If that key is lost, run "embedgate migrate --trust-database", which believes what the database says of each API key',
  );
}
