import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/config.ts';
import { makeDataDirectory } from '../config/data-directory.ts';
import { schemaVersion } from '../database/migrations/index.ts';
import { invalidRequest, messageOf, notFound } from '../errors.ts';
import { tokenKid } from '../keys/cwt.ts';
import type { SampledKey } from '../keys/key.ts';
import type { Keyring } from '../keys/keyring.ts';
import { Keys } from '../keys/keys.ts';
import { checkStoredSecret, openKeyring, requireStoredSecret } from '../keys/service-secrets.ts';
import { SigningRotation } from '../keys/signing-rotation.ts';
import type { Clock } from '../lib/clock.ts';
import { ownerIn } from '../lib/owner-of.ts';
import { organizationsWith } from '../organizations/organizations.ts';
import { overviewWith } from '../organizations/overview.ts';
import { Ledger } from '../quota/ledger.ts';
import { usersWith } from '../users/users.ts';
import { hasStores, migrateStores, openStores, storedVersion } from './open-stores.ts';

/** Keys, organizations, quotas and usage in one database: the common part of the server and the command line. */
export type Core = Awaited<ReturnType<typeof openCore>>;

/**
 * Opens the database, and migrates it if needed. Throws a ConfigError for unusable signing keys, for those that have
 * not signed the API keys unless `mayReplaceKey`, and for a lost `auth-secret`, and an error that names the location
 * of an unusable database. `onWatchFailure` is called when changes made elsewhere can't be received.
 */
export async function openCore(
  config: Config,
  clock: Clock,
  onWatchFailure: (reason: unknown) => void = () => {},
  { mayReplaceKey = false } = {},
) {
  if (config.postgres === null) makeDataDirectory(config.dataDir);
  const stores = await openStores(config, clock, onWatchFailure);
  try {
    const sample = await stores.keys.sample(clock.now(), sampledKeys);
    const keyring = keyringOf(config, mayReplaceKey || sample.length === 0);
    const { signed, unsigned } = countsOf(sample, keyring);
    // Otherwise all API keys would be refused.
    if (unsigned > 0 && signed === 0 && !mayReplaceKey)
      throw new ConfigError(`The signing key is another one${waysBack}`);
    if ((await stores.organizations.notes()).authFingerprint !== null)
      asConfigError(() => requireStoredSecret(config));
    const keys = new Keys(stores.keys, keyring, clock, config);
    const organizations = organizationsWith(stores.organizations, keys, clock, config.tiers);
    const ledger = new Ledger(stores.ledger, clock);
    return {
      config,
      clock,
      stores,
      keyring,
      keys,
      signingRotation: new SigningRotation({
        keyring,
        keys,
        organizations,
        alone: stores.exclusively,
        hasCopies: config.postgres !== null,
      }),
      organizations,
      overview: overviewWith(stores.overview, config.tiers, clock),
      users: usersWith(stores.users, clock),
      userChanges: stores.userChanges,
      sessions: stores.sessions,
      passwordResets: stores.passwordResets,
      members: stores.members,
      invitations: stores.invitations,
      ledger,
      limits: stores.limits,
      usage: stores.usage,
      async close() {
        await ledger.close();
        await stores.close();
      },
    };
  } catch (reason) {
    await stores.close();
    throw reason;
  }
}

/** Throws `not_found`, naming the directory, if it has no database. A Postgres always counts as existing. */
export function requireData(config: Config): void {
  if (hasStores(config)) return;
  throw notFound(
    `There is no data in ${config.dataDir}: set DATA_DIR to the directory that the service uses, or DATABASE_URL`,
  );
}

/** Returns whether there is a schema. Throws `invalid_request` for an older one, which its release may still use. */
export async function requireCurrentSchema(config: Config): Promise<boolean> {
  const found = await storedVersion(config);
  if (found === 0 || found >= schemaVersion) return found > 0;
  throw invalidRequest(
    `The schema has version ${found}, and this release needs ${schemaVersion}: run "embedgate migrate", or ` +
      'start the service of this release',
  );
}

/** Reports whether a start takes steps of the schema that the data of an earlier release have not taken. */
export async function isUpgrade(config: Config): Promise<boolean> {
  const found = await storedVersion(config);
  return found > 0 && found < schemaVersion;
}

/** Brings the database's schema up to date. `steps`: the number of steps that this call ran. */
export async function migrateSchema(config: Config): Promise<{ version: number; steps: number }> {
  const steps = await migrateStores(config);
  return { version: schemaVersion, steps };
}

/** Throws a ConfigError when the data directory has an `auth-secret` that can't be used. */
export const checkAuthSecret = (config: Config): void => asConfigError(() => checkStoredSecret(config));

function asConfigError(check: () => void): void {
  try {
    check();
  } catch (reason) {
    throw new ConfigError(faultOf(reason, 'auth-secret in DATA_DIR '));
  }
}

/** Returns what is wrong with a secret, and names the owner of a file that can't be read. */
const faultOf = (reason: unknown, source = ''): string =>
  reason instanceof TypeError
    ? reason.message
    : `${source}can't be read: ${messageOf(reason)}${ownerIn(reason)}`;

/** Returns the signing keys. Throws a ConfigError for unusable ones. */
export function keyringOf(config: Config, mayCreate = true): Keyring {
  const source = config.signingKey === null ? 'signing-key.pem in DATA_DIR' : 'SIGNING_KEY';
  try {
    return openKeyring(config, mayCreate);
  } catch (reason) {
    const fault = faultOf(reason);
    const isLost = config.signingKey === null && fault === 'is missing';
    throw new ConfigError(
      `${source} ${fault}${isLost ? waysBack : '; for example SIGNING_KEY=/etc/embedgate/signing-key.pem'}`,
    );
  }
}

/** The keys that a start reads of those that expire first, and of those that expire last. */
export const sampledKeys = 500;
const waysBack =
  ': the API keys need the key that signed them. Put it back from a backup, or make them valid again with ' +
  '"embedgate signing-key reissue --trust-database"';

/** Counts the keys that the keyring has signed, and the others. */
function countsOf(keys: readonly SampledKey[], keyring: Keyring): { signed: number; unsigned: number } {
  const kids = keys.map(({ token }) => tokenKid(token)).filter((kid) => kid !== undefined);
  const signed = kids.filter((kid) => keyring.find(kid)).length;
  return { signed, unsigned: kids.length - signed };
}

/** Deletes keys that have ended, unless the clock is far ahead: others would count as ended. */
export async function pruneKeys(
  { stores, keys }: Pick<Core, 'stores' | 'keys'>,
  signal?: AbortSignal,
): Promise<void> {
  if (await stores.leases.isClockTrusted()) await keys.pruneEnded(signal);
}

/** Logs whether a secret was lost or replaced, and how many API keys the signing keys have not signed. */
export async function checkSecrets({ config, stores, keyring, clock }: Core, log: Logger): Promise<void> {
  // Comes first, because a token of the database can show that the file of the signing key is right.
  const { signed, unsigned } = countsOf(await stores.keys.sample(clock.now(), sampledKeys), keyring);
  try {
    requireStoredSecret(config);
    keyring.check();
  } catch (reason) {
    log.warn({ err: reason }, 'a secret was lost or replaced: the service goes on with the one that it has');
  }
  if (unsigned === 0) return;
  log.warn(
    `${unsigned} of ${signed + unsigned} API keys get 401, because the signing key that signed them is missing: ` +
      'put it back behind the present one and run "embedgate signing-key reissue"; if it is lost, add ' +
      '--trust-database',
  );
}
