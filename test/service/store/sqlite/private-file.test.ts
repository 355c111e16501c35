import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { embedgate } from '../../../helpers/embedgate.ts';
import { startService } from '../../../helpers/service.ts';

const skip = process.platform === 'win32' && 'Windows has no modes of files';

describe('the databases of an existing data directory', { skip }, () => {
  /** The modes of the files that hold data, by name. A running service also has files that exist only for a moment. */
  const modesIn = (directory: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .flatMap(({ name }) => {
          const found = statSync(join(directory, name), { throwIfNoEntry: false });
          return found ? [[name, (found.mode & 0o777).toString(8)]] : [];
        }),
    );
  const allPrivate = (modes: Record<string, string>): void =>
    assert.deepEqual(
      Object.entries(modes).filter(([, mode]) => mode !== '600'),
      [],
    );

  test('are readable only by their owner, and become so again at a start', async () => {
    using place = temporaryDirectory();
    const dataDir = join(place.path, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    await using service = await startService({ dataDir });
    const modes = modesIn(dataDir);
    for (const name of ['embedgate.db', 'embedgate.db-wal', 'embedgate.db-shm', 'cache.db', 'cache.db-wal']) {
      assert.ok(name in modes, name);
    }
    allPrivate(modes);
    await service.kill('SIGKILL');
    // A start does not repair the secrets' files, which have always been private, nor the lock, which holds no data.
    const databases = Object.keys(modesIn(dataDir)).filter((name) => /\.db(-|$)/.test(name));
    assert.ok(databases.length >= 5);
    for (const name of databases) chmodSync(join(dataDir, name), 0o644);
    await using again = await startService({ dataDir });
    allPrivate(modesIn(dataDir));
    const archive = join(place.path, 'backup.tar.gz');
    const backup = await embedgate(['backup', '--to', archive], again.environment);
    assert.equal(backup.code, 0, backup.stderr);
    allPrivate(modesIn(dataDir));
    await again.stop();
    allPrivate(modesIn(dataDir));
  });
});
