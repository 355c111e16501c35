import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../../src/lib/clock.ts';
import { openDatabase } from '../../../../src/store/sqlite/database.ts';
import { openSqliteStores } from '../../../../src/store/sqlite/open.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';

/** Opens a database alone in another process, as a restore does. Returns what that wrote. */
function openedAlone(path: string): string {
  const program = `
    import { openAlone } from ${JSON.stringify(new URL('../../../../src/store/sqlite/database.ts', import.meta.url))};
    openAlone(${JSON.stringify(path)}).close();
    process.stdout.write('opened');`;
  const options = ['--no-warnings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  return stdout + stderr;
}

test('databases of a running service stay in use when one of its threads opens them later', async () => {
  using directory = temporaryDirectory();
  const stores = await openSqliteStores(directory.path, systemClock);
  // Starts the thread of the cache.
  await stores.vectors.prune({ createdBeforeMs: 0, maxBytes: 1_000_000 });
  const database = join(directory.path, 'embedgate.db');
  const paths = [database, join(directory.path, 'cache.db')];
  // Like a new thread after the death of another.
  openDatabase(database, { durable: true }).close();
  const whileOpen = paths.map(openedAlone);
  await stores.close();
  for (const found of whileOpen) assert.match(found, /is in use: stop the server/);
  assert.deepEqual(paths.map(openedAlone), ['opened', 'opened']);
});
