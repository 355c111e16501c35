import assert from 'node:assert/strict';
import { chownSync, existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { migratePostgres } from '../../../src/store/postgres/migrate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { FastClient } from '../../helpers/fast-client.ts';
import { runSql, startPostgres } from '../../helpers/postgres.ts';
import { newOrganization, startReplicas } from '../../helpers/replicas.ts';

/** Writing to it fails as on a full disk: ENOSPC. */
const full = '/dev/full';

test('while the disk of Postgres is full, requests are refused and not counted, and they succeed afterwards', {
  skip: !existsSync(full),
}, async (t) => {
  await using postgres = await startPostgres({ durable: true });
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  const [place] = await runSql(
    url,
    `SELECT current_setting('data_directory') AS directory, pg_relation_filepath('usage_records') AS file`,
  );
  const file = join(place?.directory, place?.file);
  const { uid, gid, size } = statSync(file);
  assert.equal(size, 0);
  // Before any session has it open.
  rmSync(file);
  symlinkSync(full, file);

  await using replicas = await startReplicas(url, 1);
  using client = new FastClient();
  const { orgId, keys } = await newOrganization(replicas.gate, { requests: 100, window: 'month' }, 1);
  const { address, stderr } = replicas.services[0]!;
  const embed = (text: string) => client.embed(address, keys[0]!, text);
  for (const text of ['a', 'b', 'c']) {
    const { status, body, headers } = await embed(text);
    assert.deepEqual([status, JSON.parse(body).error, headers['retry-after']], [503, 'unavailable', '1']);
  }
  assert.match(stderr(), /No space left on device.*"code":"53100"/);
  assert.equal((await client.get(`${address}/health`)).status, 200);
  assert.equal((await replicas.gate.ledger.readStanding(orgId)).used, 0);

  rmSync(file);
  writeFileSync(file, '', { mode: 0o600 });
  chownSync(file, uid, gid);
  // On a real disk, the open file would have space again. Here it belongs to the device until it is closed.
  await runSql(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const backMs = await eventually(async () => (await embed('d')).status === 200);
  t.diagnostic(`answering ${backMs.toFixed(0)} ms after there was room`);
  const { used } = await replicas.gate.ledger.readStanding(orgId);
  const { body } = await client.get(`${address}/v1/usage`, keys[0]!);
  assert.deepEqual([used, JSON.parse(body).totals.counted], [1, 1]);
});
