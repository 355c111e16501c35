import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { openPostgres, type TestPostgres } from '../../helpers/postgres.ts';

const program = fileURLToPath(new URL('./loaded-modules.ts', import.meta.url));

describe('the configured database', () => {
  const directory = temporaryDirectory();
  let postgres: TestPostgres;
  before(async () => {
    postgres = await openPostgres();
  });
  after(async () => {
    await postgres[Symbol.asyncDispose]();
    directory[Symbol.dispose]();
  });

  const modulesWith = async (environment: Record<string, string>) => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: directory.path, ...environment };
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', program], { env });
    const urls = JSON.parse(stdout) as string[];
    return {
      pg: urls.some((url) => url.includes('/node_modules/pg/')),
      sqlite: urls.some((url) => url === 'node:sqlite' || url.includes('/store/sqlite/')),
    };
  };

  test('is the only one whose driver is loaded', async () => {
    assert.deepEqual(await modulesWith({}), { pg: false, sqlite: true });
    const replica = {
      DATABASE_URL: await postgres.createDatabase(),
      // The files that the first start creates.
      SIGNING_KEY: `${directory.path}/signing-key.pem`,
      AUTH_SECRET: 'a'.repeat(32),
    };
    assert.deepEqual(await modulesWith(replica), { pg: true, sqlite: false });
  });
});
