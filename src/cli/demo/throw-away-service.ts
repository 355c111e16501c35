import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../app.ts';
import { bootstrap, type FirstStart } from '../../bootstrap.ts';
import { readConfig } from '../../config/config.ts';
import { type Gate, openGate } from '../../gate.ts';
import { systemClock } from '../../lib/clock.ts';
import { openServices } from '../../services.ts';

export interface ThrowAwayService extends AsyncDisposable {
  readonly address: string;
  readonly first: FirstStart;
  /** What an administrator works with: connections of their own to the database, as every command has them. */
  readonly admin: Gate;
}

/** The real service on a free port and an empty directory; disposed of, it leaves nothing behind. */
export async function startThrowAwayService(): Promise<ThrowAwayService> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'embedgate-demo-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Nothing of the caller's environment: neither their data nor their keys.
  const config = readConfig({ DATA_DIR: dataDir, EMBEDDING_WORKERS: '1', LOG_LEVEL: 'warn' });
  const services = await openServices(config);
  opened.defer(() => services.close());
  const admin = await openGate(config, systemClock);
  opened.defer(() => admin.close());
  const app = await buildApp(services);
  opened.defer(async () => app.close());
  await services.models.loaded;
  const address = await app.listen({ host: config.host, port: 0 });
  const first = await bootstrap(services);
  if (!first) throw new Error('The throw-away data directory was not empty');
  const kept = opened.move();
  return { address, first, admin, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
