import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { allRows } from '../../../src/lib/page.ts';
import { killUnderLoad } from '../../faults/kill.ts';
import { largeResponse } from '../../faults/large-response.ts';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { embedgateJson, spawnEmbedgate } from '../../helpers/embedgate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startPostgres } from '../../helpers/postgres.ts';
import { startReplicas } from '../../helpers/replicas.ts';
import { statusWith } from '../../helpers/requests.ts';
import { startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

/** Whether the database has a row that `sql` selects. False while there is no database yet. */
function hasRow(path: string, sql: string): boolean {
  if (!existsSync(path)) return false;
  using database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(sql).get() !== undefined;
  } catch {
    return false;
  }
}

describe('a first start that is killed', () => {
  for (const [when, sql] of [
    ['once the organization is there', 'SELECT 1 FROM organizations'],
    ['once the administrator is there', 'SELECT 1 FROM users'],
    ['once the key is there', 'SELECT 1 FROM api_keys'],
  ] as const) {
    test(`${when} is completed by the next one, which shows how to sign in and a key`, async () => {
      using directory = temporaryDirectory();
      const child = spawnEmbedgate(['serve'], {
        DATA_DIR: directory.path,
        PORT: '0',
        EMBEDDING_WORKERS: '1',
        LOG_LEVEL: 'warn',
      });
      const path = join(directory.path, 'embedgate.db');
      await eventually(() => hasRow(path, sql), { everyMs: 1 });
      child.kill('SIGKILL');
      await child.exited;

      await using service = await startService({ dataDir: directory.path });
      if (!service.stdout().includes('API key')) {
        // It finished before the signal arrived, and had shown them itself.
        assert.match(child.stdout(), /API key/);
        return;
      }
      assert.equal(await statusWith(service.address, service.key), 200);
      const page = await new Browser(service.address).signIn(service.administrator);
      const { data } = await page.ask<{ data: { role: string }[] }>(
        200,
        'GET',
        `/v1/organizations/${service.orgId}/members`,
      );
      assert.deepEqual(
        data.map(({ role }) => role),
        ['owner'],
      );
      const keys = await embedgateJson<{ data: { status: string }[] }>(
        ['keys', 'list', '--org-id', service.orgId],
        service.environment,
      );
      assert.equal(keys.data.filter(({ status }) => status === 'active').length, 1);
    });
  }
});

describe('a first start with an address in use', () => {
  test('ends with the reason and creates nothing', async () => {
    using directory = temporaryDirectory();
    const environment = { DATA_DIR: directory.path, EMBEDDING_WORKERS: '1', PORT: '0' };
    await embedgateJson(['users', 'create', '--email', 'ada@example.com'], environment);
    await assert.rejects(
      startService({ dataDir: directory.path, environment: { ADMIN_EMAIL: 'Ada@example.com' } }),
      /ADMIN_EMAIL: there is a user ada@example\.com already/i,
    );
    assert.equal(hasRow(join(directory.path, 'embedgate.db'), 'SELECT 1 FROM organizations'), false);
  });
});

describe('replicas that start at once on an empty database', async () => {
  const postgres = untilEnd(await startPostgres());

  test('set up one organization together, and one of them shows how to sign in', async () => {
    await using replicas = await startReplicas(await postgres.createDatabase(), 3);
    const [shown, ...others] = replicas.services.filter((one) => one.stdout().includes('API key'));
    assert.ok(shown);
    assert.equal(others.length, 0);
    assert.equal((await allRows((page) => replicas.core.organizations.list(page))).length, 1);
    assert.equal((await allRows((page) => replicas.core.users.list(page))).length, 1);
    for (const { address } of replicas.services) assert.equal(await statusWith(address, shown.key), 200);
  });
});

/** `KILLS=20 npm run test:long -- first-start` takes some minutes. */
const kills = Number(process.env.KILLS ?? 3);

test(`a service that is killed ${kills} times under load loses no confirmed request and counts no more than were sent`, async (t) => {
  t.diagnostic(await killUnderLoad(kills));
});

test('a client that never reads its response does not prevent the service from writing the counters', async () => {
  using directory = temporaryDirectory();
  const service = await startService({ dataDir: directory.path });
  const { orgId, environment } = service;
  const { socket } = await largeResponse(service);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
  socket.destroy();
  const usage = await embedgateJson<{ totals: { counted: number } }>(
    ['usage', '--org-id', orgId],
    environment,
  );
  assert.equal(usage.totals.counted, 1);
});
