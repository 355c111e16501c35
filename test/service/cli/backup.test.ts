import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { tryProcessLock } from '../../../packages/small/src/process-lock.ts';
import { copyDatabase } from '../../../src/service/backup/archive.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { done, refused } from '../../helpers/outcomes.ts';
import { rewriteManifest } from './rewrite-manifest.ts';

const skip = process.platform === 'win32' && 'Windows has no modes of files';

describe('a backup of a release with a table that this one does not have', () => {
  it('is restored', async () => {
    using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], { DATA_DIR: dataDir }));
    const archive = join(directory.path, 'backup.tar.gz');
    done(await embedgate(['backup', '--to', archive], { DATA_DIR: dataDir }));
    const database = join(directory.path, 'embedgate.db');
    copyDatabase(join(dataDir, 'embedgate.db'), database);
    using opened = new DatabaseSync(database);
    opened.exec(`CREATE TABLE retired (id INT); INSERT INTO retired VALUES (1)`);
    const older = join(directory.path, 'older.tar.gz');
    await rewriteManifest(
      archive,
      older,
      (manifest) => ({ ...manifest, tables: { ...(manifest.tables as object), retired: 1 } }),
      readFileSync(database),
    );
    done(await embedgate(['restore', '--from', older], { DATA_DIR: join(directory.path, 'restored') }));
    const fewer = join(directory.path, 'fewer.tar.gz');
    await rewriteManifest(archive, fewer, (manifest) => ({
      ...manifest,
      tables: { ...(manifest.tables as object), retired: 1 },
    }));
    const reason = refused(
      await embedgate(['restore', '--from', fewer], { DATA_DIR: join(directory.path, 'other') }),
    );
    assert.match(reason, /does not have the rows that its manifest states/);
  });
});

describe('what a backup that was killed has left', () => {
  it('is removed by the next backup to the file, which waits for no other', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: join(directory.path, 'data') };
    const to = join(directory.path, 'backup.tar.gz');
    const partial = `${to}.partial`;
    const backUp = () => embedgate(['backup', '--to', to], environment);
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], environment));
    mkdirSync(partial, { mode: 0o700 });
    writeFileSync(join(partial, 'embedgate.db'), 'half of a database');
    {
      using _running = tryProcessLock(join(partial, 'lock'));
      assert.match(refused(await backUp()), /Another command is doing this right now/);
      assert.ok(existsSync(join(partial, 'embedgate.db')));
    }
    done(await backUp());
    assert.ok(existsSync(to));
    assert.ok(!existsSync(partial));
  });

  it('is refused and kept if others can write to it, or if it leads elsewhere', { skip }, async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: join(directory.path, 'data') };
    const elsewhere = join(directory.path, 'elsewhere');
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], environment));
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(join(elsewhere, 'precious'), '');
    mkdirSync(join(directory.path, 'shared.tar.gz.partial'), { mode: 0o777 });
    chmodSync(join(directory.path, 'shared.tar.gz.partial'), 0o777);
    symlinkSync(elsewhere, join(directory.path, 'link.tar.gz.partial'));
    for (const name of ['shared', 'link']) {
      const to = join(directory.path, `${name}.tar.gz`);
      const reason = refused(await embedgate(['backup', '--to', to], environment));
      assert.match(reason, /\.partial exists and is not a directory of yours alone: remove it$/);
      assert.ok(!existsSync(to));
    }
    assert.ok(existsSync(join(elsewhere, 'precious')));
  });
});
