import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/directory.ts';
import { openPostgres } from '../helpers/postgres.ts';
import { newPem } from '../helpers/replicas.ts';
import { type RunningService, startService } from '../helpers/service.ts';

export const stores = ['SQLite', 'Postgres'] as const;

/** A service of the suite's own on one of the stores; both are removed with it. */
export async function serviceOn(
  store: (typeof stores)[number],
  environment: Record<string, string> = {},
): Promise<RunningService> {
  if (store === 'SQLite') return startService({ environment });
  const postgres = await openPostgres();
  const secrets = temporaryDirectory();
  const signingKey = join(secrets.path, 'signing-key.pem');
  writeFileSync(signingKey, newPem(), { mode: 0o600 });
  const service = await startService({
    environment: {
      DATABASE_URL: await postgres.createDatabase(),
      AUTH_SECRET: 'a secret of thirty-two bytes or more',
      SIGNING_KEY: signingKey,
      ...environment,
    },
  });
  const dispose = service[Symbol.asyncDispose].bind(service);
  return Object.assign(service, {
    async [Symbol.asyncDispose]() {
      await dispose();
      await postgres[Symbol.asyncDispose]();
      secrets[Symbol.dispose]();
    },
  });
}

/** The amounts of a run. CI's is short. */
const isShort = process.env.ABUSE_SHORT === '1';

export const seed = Number(process.env.ABUSE_SEED ?? 1);

export function size(full: number, short: number): number {
  return isShort ? short : full;
}
