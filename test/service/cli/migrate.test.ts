import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { schemaVersion } from '../../../src/store/migrations/index.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { type Environment, embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { openPostgres, type TestPostgres } from '../../helpers/postgres.ts';
import { done, wrongUsage } from './outcomes.ts';

const secrets = { SIGNING_KEY: '/nowhere', AUTH_SECRET: 'a'.repeat(32) };

describe('embedgate migrate', () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await openPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());

  it('brings an empty SQLite or Postgres up to date, and then has nothing to do', async () => {
    using directory = temporaryDirectory();
    const url = await postgres.createDatabase();
    for (const database of [{ DATA_DIR: directory.path }, { ...secrets, DATABASE_URL: url }]) {
      const environment: Environment = database;
      assert.deepEqual(await embedgateJson(['migrate'], environment), {
        version: schemaVersion,
        steps: schemaVersion,
      });
      assert.match(done(await embedgate(['migrate'], environment)), /version \d+: nothing to do/);
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
      const finished = await embedgate(['migrate', ...args]);
      assert.match(wrongUsage(finished), fault);
      assert.ok(!finished.stderr.includes('hunter2'));
    }
  });
});
