import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../../packages/small/src/files.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { QuotaLimit } from '../../src/quota/tiers.ts';
import { type Core, openCore } from '../../src/service/core.ts';
import { temporaryDirectory } from './directory.ts';
import type { Environment } from './embedgate.ts';
import { type RunningService, startService } from './service.ts';

/** Processes that share a Postgres and their secrets, and an administrator. */
export interface Replicas extends AsyncDisposable {
  readonly services: readonly RunningService[];
  /** What a command needs. */
  readonly environment: Environment;
  readonly core: Core;
  /** The content of each process's own copy of the key file, the administrator's last. */
  signingKeys(): string[];
  /** Replaces the copies one after the other. */
  writeSigningKeys(pem: string): void;
}

export function newPem(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** What a service on a Postgres of its own needs. */
export function ownPostgres(url: string): { DATABASE_URL: string; SIGNING_KEY: string; AUTH_SECRET: string } {
  return { DATABASE_URL: url, SIGNING_KEY: newPem(), AUTH_SECRET: randomBytes(32).toString('hex') };
}

export async function startReplicas(url: string, count: number, more: Environment = {}): Promise<Replicas> {
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(temporaryDirectory());
  const copies = Array.from({ length: count + 1 }, (_, i) => join(directory.path, `signing-key-${i}.pem`));
  const writeSigningKeys = (pem: string) => {
    for (const copy of copies) writeFileAtomically(copy, () => pem, { mode: 0o600, overwrite: true });
  };
  writeSigningKeys(newPem());
  const shared = { DATABASE_URL: url, AUTH_SECRET: randomBytes(32).toString('hex'), ...more };
  const environments = copies.map((copy) => ({ ...shared, SIGNING_KEY: copy }));
  const services: RunningService[] = [];
  opened.defer(async () => {
    await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
  });
  const starts = environments.slice(0, count).map(async (environment, i) => {
    services[i] = await startService({ environment });
  });
  // All have started or failed before those that started are stopped.
  await Promise.allSettled(starts);
  await Promise.all(starts);
  const environment = environments[count]!;
  const core = await openCore(readConfig(environment), systemClock);
  opened.defer(() => core.close());
  const kept = opened.move();
  return {
    services,
    environment,
    core,
    writeSigningKeys,
    signingKeys: () => copies.map((copy) => readFileSync(copy, 'utf8')),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** An organization with a custom limit, and keys of its own. */
export async function newOrganization(core: Core, custom: QuotaLimit, keyCount: number, userId = 'u') {
  const { orgId } = await core.organizations.create({ name: 'limited', tier: 'enterprise', custom });
  const created = await Promise.all(
    Array.from({ length: keyCount }, (_, i) => core.keys.create({ orgId, userId, name: `key ${i}` })),
  );
  return { orgId, keys: created.map(({ secret }) => secret), keyIds: created.map(({ key }) => key.keyId) };
}
