import { originWithoutRequest, withOrigin } from '../audit/origin.ts';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../lib/clock.ts';
import { type Core, openCore, pruneKeys, requireCurrentSchema, requireData } from '../service/core.ts';
import { tell } from './output.ts';

/** Deletes old keys for a command that may have added some. Its result is there, so what fails is left to the next one. */
export async function pruneKeysQuietly(core: Pick<Core, 'stores' | 'keys'>): Promise<void> {
  await pruneKeys(core).catch(() => undefined);
}

/**
 * Opens keys, organizations and usage with the settings in the environment while `body` runs. If there is no data,
 * throws `not_found` and creates nothing, unless `mayCreate` lets the command start with an empty data directory. Only
 * `migrate` and a start upgrade a schema, so throws `invalid_request` for an older one.
 */
export async function withCore<R>(
  environment: NodeJS.ProcessEnv,
  body: (core: Core) => Promise<R>,
  options: { mayCreate?: boolean; mayReplaceKey?: boolean } = {},
): Promise<R> {
  const config = readConfig(environment);
  if (!options.mayCreate) requireData(config);
  const exists = await requireCurrentSchema(config);
  const core = await openCore(config, systemClock, undefined, options);
  if (!exists && !config.postgres) tell(`Created a new database in ${config.dataDir}`);
  try {
    const actor = { kind: 'command-line', id: `uid ${process.getuid?.() ?? 'unknown'}` } as const;
    return await withOrigin(originWithoutRequest(actor), () => body(core));
  } finally {
    await core.close();
  }
}
