import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { nilId } from '../../../src/lib/ids.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgate } from '../../helpers/embedgate.ts';
import { done, refused } from './outcomes.ts';

const needData = [
  ['orgs', 'list'],
  ['orgs', 'set-tier', '--org-id', nilId, '--tier', 'pro'],
  ['keys', 'create', '--user-id', 'ada', '--org-id', nilId, '--name', 'laptop'],
  ['keys', 'list', '--org-id', nilId],
  ['keys', 'rotate', '--key-id', nilId],
  ['keys', 'revoke', '--key-id', nilId],
  ['users', 'list'],
  ['users', 'reset-password', '--email', 'ada@example.com'],
  ['usage', '--org-id', nilId],
  ['signing-key', 'rotate'],
  ['signing-key', 'reissue'],
  ['signing-key', 'retire'],
];

describe('commands in a directory without data', () => {
  for (const command of needData) {
    it(`${command.slice(0, 2).join(' ')} says where it looked, and creates nothing`, async () => {
      using directory = temporaryDirectory();
      const missing = join(directory.path, 'data');
      for (const dataDir of [missing, directory.path]) {
        const reason = refused(await embedgate(command, { DATA_DIR: dataDir }));
        assert.ok(reason.startsWith(`There is no data in ${dataDir}: set DATA_DIR`), reason);
      }
      assert.ok(!existsSync(missing));
      assert.deepEqual(readdirSync(directory.path), []);
    });
  }

  it('orgs create and users create refuse invalid values before they create anything', async () => {
    using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    const commands: [string[], RegExp][] = [
      [['orgs', 'create', '--name', ''], /^name must have 1 to 200 characters/],
      [['users', 'create', '--email', 'ada'], /^email must be an email address/],
      [['users', 'create', '--email', 'ada@example.com', '--name', ' '], /^name must have 1 to 200/],
    ];
    for (const [command, message] of commands) {
      assert.match(refused(await embedgate(command, { DATA_DIR: dataDir })), message);
      assert.ok(!existsSync(dataDir), command.join(' '));
    }
  });

  for (const command of [
    ['orgs', 'create', '--name', 'Acme'],
    ['users', 'create', '--email', 'ada@example.com'],
  ]) {
    it(`${command.slice(0, 2).join(' ')} creates an installation`, async () => {
      using directory = temporaryDirectory();
      const environment = { DATA_DIR: join(directory.path, 'data') };
      done(await embedgate(command, environment));
      done(await embedgate([command[0]!, 'list'], environment));
    });
  }
});
