import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { done, refused } from './outcomes.ts';

describe('the data of a checkout before 1.0', () => {
  it('stops a start and every command with one line, and stays as it is', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'embedgate.db');
    const older = new DatabaseSync(path);
    older.exec('CREATE TABLE organizations (org_id TEXT); PRAGMA user_version = 18');
    older.close();
    const before = readFileSync(path);
    const environment = { DATA_DIR: directory.path, PORT: '0' };
    for (const args of [['serve'], ['orgs', 'list'], ['migrate']]) {
      const { code, stderr } = await embedgate(args, environment);
      assert.equal(code, 1);
      // A start also reports what it does to its model.
      assert.match(
        stderr.trimEnd().split('\n').at(-1)!,
        /^embedgate: The data in .* can't be opened: It was created before version 1\.0, .*$/,
      );
    }
    assert.deepEqual(readFileSync(path), before);
  });
});

describe('embedgate usage without --org-id', () => {
  it('shows the only organization, and asks for one of several', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], environment));
    assert.match(done(await embedgate(['usage'], environment)), /^Organization +Acme, /);
    done(await embedgate(['orgs', 'create', '--name', 'Other'], environment));
    assert.match(
      refused(await embedgate(['usage'], environment)),
      /^There is more than one organization: give --org-id/,
    );
  });
});
