import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { startService } from '../../helpers/service.ts';

const skip = process.platform === 'win32' && 'Windows has no modes of files';

describe('the databases of a data directory that existed before', { skip }, () => {
  /** Name → mode, of the files that hold data. */
  const modesIn = (directory: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
    );
  const allPrivate = (modes: Record<string, string>): void =>
    assert.deepEqual(
      Object.entries(modes).filter(([, mode]) => mode !== '600'),
      [],
    );

  test('are readable by their owner alone, and become so again at a start', async () => {
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
    // The secrets' files are not mended, but have always been private; the lock holds nothing, and is mended when it is next used.
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
