import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isThere } from '../../packages/small/src/files.ts';
import type { Environment } from '../../packages/small/src/settings.ts';
import { readConfig } from '../config/config.ts';
import { withSecretFiles } from '../config/secrets.ts';
import { systemClock } from '../lib/clock.ts';
import { requireAccepted } from './accepted-keys.ts';
import { keyringOf } from './core.ts';
import { type Moved, moveStores } from './move/move.ts';
import { MoveSource } from './move/source.ts';
import { storedVersion } from './open-stores.ts';

/** Moves a data directory's `embedgate.db` to a Postgres. */
export interface MoveRequest {
  readonly path: string;
  readonly url: string;
}

export interface MoveReport extends Moved {
  /** What the servers on the target need besides DATABASE_URL, and the environment lacks. */
  readonly settings: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Moves the data of a single process to a database that replicas can share. Throws `invalid_request` if the
 * keys would not be accepted there, and what `moveStores` throws.
 */
export async function move(
  environment: NodeJS.ProcessEnv,
  { path, url }: MoveRequest,
  onProgress: (done: number, total: number) => void,
): Promise<MoveReport> {
  const made = madeSecrets(dirname(path));
  const config = readConfig({
    ...made.environment,
    ...given(withSecretFiles(environment)),
    DATABASE_URL: url,
  });
  const keyring = keyringOf(config);
  // Before the source is brought up to date: a target that can't be reached changes nothing.
  await storedVersion(config);
  using source = await MoveSource.open(path);
  requireAccepted(
    source.activeTokens(systemClock.now()),
    keyring,
    'set it to the key that the server uses now, or run "embedgate signing-key reissue --trust-database" on ' +
      'the source first',
  );
  const moved = await moveStores(source, url, onProgress);
  const isOtherSecret = made.authSecret !== undefined && made.authSecret !== config.authSecret;
  const warnings = source.filesLeft();
  if (isOtherSecret)
    warnings.push(
      'AUTH_SECRET differs from the one that the source created: the servers will not find the cached vectors',
    );
  return {
    ...moved,
    settings: made.settings.filter((setting) => !environment[setting.split('=', 1)[0] ?? '']),
    warnings,
  };
}

function given(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
}

/** The secrets that a process without them in its environment has created beside its database. */
function madeSecrets(dataDir: string) {
  const [signingKey, authSecret] = [join(dataDir, 'signing-key.pem'), join(dataDir, 'auth-secret')];
  const environment: NodeJS.ProcessEnv = {};
  const settings: string[] = [];
  if (isThere(signingKey)) {
    environment.SIGNING_KEY = signingKey;
    settings.push(`SIGNING_KEY=${signingKey}`);
  }
  if (!isThere(authSecret)) return { environment, settings, authSecret: undefined };
  environment.AUTH_SECRET = readFileSync(authSecret, 'utf8').trim();
  settings.push(`AUTH_SECRET=$(cat ${authSecret})`);
  return { environment, settings, authSecret: environment.AUTH_SECRET };
}
