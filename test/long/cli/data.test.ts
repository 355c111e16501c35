import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { schemaVersion } from '../../../src/database/migrations/index.ts';
import { generateSigningKey } from '../../../src/keys/keyring.ts';
import { nilId } from '../../../src/lib/ids.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { holdLocks, openPostgres, ownedDatabase, runSql } from '../../helpers/postgres.ts';
import { untilEnd } from '../../helpers/until-end.ts';

const needData = [
  ['orgs', 'list'],
  ['orgs', 'set-tier', '--org-id', nilId, '--tier', 'pro'],
  ['keys', 'create', '--user-id', 'ada', '--org-id', nilId, '--name', 'laptop'],
  ['keys', 'list', '--org-id', nilId],
  ['keys', 'revoke', '--key-id', nilId],
  ['api', 'GET', '/v1/organizations'],
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
        const reason = refused(await runCommand(command, { DATA_DIR: dataDir }));
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
      assert.match(refused(await runCommand(command, { DATA_DIR: dataDir })), message);
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
      done(await runCommand(command, environment));
      done(await runCommand(['orgs', 'list'], environment));
    });
  }
});

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
      const { code, stderr } = await runCommand(args, environment);
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
    done(await runCommand(['orgs', 'create', '--name', 'Acme'], environment));
    assert.match(done(await runCommand(['usage'], environment)), /^Organization +Acme, /);
    done(await runCommand(['orgs', 'create', '--name', 'Other'], environment));
    assert.match(
      refused(await runCommand(['usage'], environment)),
      /^There is more than one organization: give --org-id/,
    );
  });
});

const secrets = { SIGNING_KEY: '/nowhere', AUTH_SECRET: 'a'.repeat(32) };

describe('embedgate migrate', async () => {
  const postgres = untilEnd(await openPostgres());

  it('brings an empty SQLite or Postgres up to date, and then has nothing to do', async () => {
    using directory = temporaryDirectory();
    const url = await postgres.createDatabase();
    for (const database of [{ DATA_DIR: directory.path }, { ...secrets, DATABASE_URL: url }]) {
      const environment: Environment = database;
      assert.deepEqual(await embedgateJson(['migrate'], environment), {
        version: schemaVersion,
        steps: schemaVersion,
      });
      assert.match(done(await runCommand(['migrate'], environment)), /version \d+: nothing to do/);
    }
  });

  it('leaves a database to commands, which say so if the connections of their role are in use', async () => {
    using directory = temporaryDirectory();
    const { url, adminUrl } = await ownedDatabase(postgres);
    const key = { ...secrets, SIGNING_KEY: `${directory.path}/key.pem` };
    writeFileSync(key.SIGNING_KEY, generateSigningKey().privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const environment = { ...key, DATA_DIR: directory.path, DATABASE_URL: url };
    done(await runCommand(['migrate'], environment));
    await runSql(adminUrl, 'ALTER ROLE app CONNECTION LIMIT 4');
    for (const inUse of [3, 4]) {
      await using held = new AsyncDisposableStack();
      for (let i = 0; i < inUse; i += 1) held.use(await holdLocks(url, 'SELECT 1'));
      const reason = refused(await runCommand(['orgs', 'create', '--name', 'Acme'], environment));
      assert.match(reason, /too many connections for role "app": lower DATABASE_POOL_SIZE, or raise/);
    }
  });

  it('refuses what it cannot do, and repeats no password', async () => {
    const to = 'postgres://embedgate:hunter2@db:none/x';
    const wrong: [string[], RegExp][] = [
      [['--to', 'postgres://db/x'], /'--to <database>' needs '--from/],
      [['--from', 'sqlite:data/embedgate.db'], /'--from <database>' needs '--to/],
      [['--from', './data/embedgate.db', '--to', 'postgres://db/x'], /Give sqlite: and a path/],
      [['--from', 'sqlite:data/embedgate.db', '--to', to], /--to: is not a postgres:\/\/ address/],
    ];
    for (const [args, fault] of wrong) {
      const finished = await runCommand(['migrate', ...args]);
      assert.match(wrongUsage(finished), fault);
      assert.ok(!finished.stderr.includes('hunter2'));
    }
  });
});
