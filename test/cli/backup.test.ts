import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tryProcessLock } from '../../src/lib/process-lock.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate } from '../helpers/embedgate.ts';
import { done, refused } from './outcomes.ts';

describe('what a backup that was killed has left', () => {
  it('is removed by the next backup to the file, which waits for no other', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: join(directory.path, 'data') };
    const to = join(directory.path, 'backup.tar.gz');
    const partial = `${to}.partial`;
    const backUp = () => embedgate(['backup', '--to', to], environment);
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], environment));
    mkdirSync(partial);
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
});
