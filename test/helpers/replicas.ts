import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import { type Gate, openGate } from '../../src/gate.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Limit } from '../../src/quota/tiers.ts';
import type { Environment } from './embedgate.ts';
import { type RunningService, startService } from './service.ts';

/** Processes that share a Postgres and their secrets, and somebody who administers them. */
export interface Replicas extends AsyncDisposable {
  readonly services: readonly RunningService[];
  readonly environment: Environment;
  readonly gate: Gate;
}

/** What replicas on `url` have in common. */
export function replicaEnvironment(url: string): Environment {
  return {
    DATABASE_URL: url,
    SIGNING_KEY: generateKeyPairSync('ed25519')
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
    AUTH_SECRET: randomBytes(32).toString('hex'),
  };
}

export async function startReplicas(url: string, count: number): Promise<Replicas> {
  const environment = replicaEnvironment(url);
  const gate = await openGate(readConfig(environment), systemClock);
  const services = await Promise.all(Array.from({ length: count }, () => startService({ environment })));
  return {
    services,
    environment,
    gate,
    async [Symbol.asyncDispose]() {
      await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
      await gate.close();
    },
  };
}

/** An organization with a custom limit, and keys of its own. */
export async function newOrganization(gate: Gate, custom: Limit, keyCount: number) {
  const { orgId } = await gate.organizations.create({ name: 'limited', tier: 'enterprise', custom });
  const created = await Promise.all(
    Array.from({ length: keyCount }, (_, i) => gate.keys.create({ orgId, userId: 'u', name: `key ${i}` })),
  );
  return { orgId, keys: created.map(({ secret }) => secret), keyIds: created.map(({ key }) => key.keyId) };
}
