import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config/config.ts';
import { systemClock } from '../../lib/clock.ts';
import { bootstrap, type FirstStart } from '../../service/bootstrap.ts';
import { type Gate, openGate } from '../../service/gate.ts';
import { openServices } from '../../service/services.ts';

export interface ThrowAwayService extends AsyncDisposable {
  readonly address: string;
  readonly first: FirstStart;
  /** The administrator's access, with its own database connections, as in every command. */
  readonly admin: Gate;
}

/** Starts the real service on a free port with an empty directory. Disposing of it leaves nothing behind. */
export async function startThrowAwayService(): Promise<ThrowAwayService> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'embedgate-demo-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  // Ignores the caller's environment, and so their data and their keys.
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
  if (!first) throw new Error('The temporary data directory was not empty');
  const kept = opened.move();
  return { address, first, admin, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
