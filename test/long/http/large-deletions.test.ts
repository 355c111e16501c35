import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdLocks, openPostgres, runSql } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { statusWith } from '../../helpers/requests.ts';
import { type RunningService, startService } from '../../helpers/service.ts';

const records = 40_000;
const addRecords = (orgId: string): string => `
  INSERT INTO usage_records (org_id, day, key_id)
  WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${records - 1})
  SELECT '${orgId}', n / 1000, 'key-' || CAST(n % 1000 AS TEXT) FROM numbers`;

async function deleteAt(service: RunningService): Promise<void> {
  const page = await new Browser(service.address).signIn(service.administrator);
  const path = `/v1/organizations/${service.orgId}`;
  assert.equal(await statusWith(service.address, service.key), 200);
  await page.ask(204, 'DELETE', path);
  assert.equal(await statusWith(service.address, service.key), 401);
  await page.ask(404, 'GET', path);
  await page.ask(404, 'GET', `${path}/usage`);
  await page.ask(404, 'DELETE', path);
}

describe('deletion of an organization with many usage records', () => {
  test('takes effect at once on Postgres, even while its records cannot be deleted yet', async () => {
    await using postgres = await openPostgres();
    const url = await postgres.createDatabase();
    const environment = ownPostgres(url);
    await using service = await startService({ environment });
    await runSql(url, addRecords(service.orgId));
    const locks = await holdLocks(url, 'SELECT 1 FROM usage_records WHERE day = 20 FOR UPDATE');
    await deleteAt(service);
    await locks[Symbol.asyncDispose]();
    await using _another = await startService({ environment });
    const count = async () => Number((await runSql(url, 'SELECT count(*) FROM usage_records'))[0]?.count);
    await eventually(async () => (await count()) === 0, { withinMs: 150_000, everyMs: 100 });
  });

  test('takes effect at once on SQLite, and its records are deleted even if the service is killed meanwhile', async () => {
    using directory = temporaryDirectory();
    const database = new DatabaseSync(join(directory.path, 'embedgate.db'), { timeout: 5_000 });
    const count = () => Number(database.prepare('SELECT count(*) AS n FROM usage_records').get()?.n);
    {
      await using service = await startService({ dataDir: directory.path });
      database.exec(addRecords(service.orgId));
      await deleteAt(service);
      await service.kill('SIGKILL');
    }
    assert.ok(count() > 0);
    await using _again = await startService({
      dataDir: directory.path,
      environment: { EMBEDGATE_BOOTSTRAP: 'off' },
    });
    await eventually(() => count() === 0, { withinMs: 150_000, everyMs: 100 });
    database.close();
  });
});
