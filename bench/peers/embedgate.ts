import { fileURLToPath } from 'node:url';
import { startService } from '../../test/helpers/service.ts';
import { freeOfQuota } from '../free-of-quota.ts';
import { type Server, spawned } from './spawned.ts';

const program = fileURLToPath(new URL('../../bin/embedgate.js', import.meta.url));

/** Starts Embedgate with these settings, in a data directory whose organization may use as much as it wants. */
export async function startEmbedgate(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  model: string,
): Promise<Server> {
  const environment = { EMBEDDING_WORKERS: '', ...settings };
  let key: string;
  {
    // The first start creates the key.
    await using service = await startService({ dataDir, environment });
    key = service.key;
    await freeOfQuota(service);
  }
  return await spawned({
    program: process.execPath,
    args: () => [program, 'serve'],
    environment: (port) => ({ ...environment, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' }),
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${key}` },
    model,
  });
}
