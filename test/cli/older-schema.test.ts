import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { schemaVersion } from '../../src/store/migrations/index.ts';
import { temporaryDirectory } from '../helpers/directory.ts';
import { embedgate, embedgateJson } from '../helpers/embedgate.ts';
import { done, refused } from './outcomes.ts';

/** Makes the database look like one of an older release. */
function setVersion(dataDir: string, version: number): void {
  const database = new DatabaseSync(join(dataDir, 'embedgate.db'));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

function versionOf(dataDir: string): unknown {
  const database = new DatabaseSync(join(dataDir, 'embedgate.db'));
  const found = database.prepare('PRAGMA user_version').get();
  database.close();
  return found?.user_version;
}

describe('a command on the data of an older release', () => {
  it('leaves the schema as it is, and names the command that upgrades it', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path };
    done(await embedgate(['orgs', 'create', '--name', 'Acme'], environment));
    setVersion(directory.path, schemaVersion - 1);
    for (const args of [
      ['orgs', 'list'],
      ['orgs', 'create', '--name', 'Acme'],
    ]) {
      const reason = refused(await embedgate(args, environment));
      assert.equal(
        reason,
        `The schema has version ${schemaVersion - 1}, and this release needs ${schemaVersion}: run "embedgate migrate", or start the service of this release`,
      );
    }
    assert.equal(versionOf(directory.path), schemaVersion - 1);
    setVersion(directory.path, schemaVersion);
    const { data } = await embedgateJson<{ data: unknown[] }>(['orgs', 'list'], environment);
    assert.equal(data.length, 1);
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
