import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { runSql, startPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';

test('/ready fails while Postgres responds but commits nothing, and passes again afterwards', async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  let count = 0;
  const embed = async (): Promise<number> => {
    const response = await requestEmbeddings(app.address, app.key, `text ${count++}`);
    await response.arrayBuffer();
    return response.status;
  };
  const notReady = async (): Promise<string[]> => {
    const response = await fetch(`${app.address}/ready`);
    const { not_ready: parts } = (await response.json()) as { not_ready: string[] };
    assert.equal(response.status, parts.length === 0 ? 200 : 503);
    return parts;
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${app.address}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const waitForStandby = async (name: string): Promise<void> => {
    await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await runSql(url, 'SELECT pg_reload_conf()');
  };

  assert.equal(await embed(), 200);
  assert.deepEqual(await notReady(), []);
  assert.equal(await metric('embedgate_quota_flush_failures_total'), 0);

  await waitForStandby('absent');
  const waiting = embed();
  await eventually(async () => (await metric('embedgate_quota_flush_age_seconds')) > 0);
  assert.equal(await waiting, 503);
  await eventually(async () => {
    assert.equal(await embed(), 503);
    return (await notReady()).includes('quota');
  });
  assert.ok((await metric('embedgate_quota_flush_failures_total')) > 0);
  assert.equal(await metric('embedgate_quota_locked_organizations'), 1);

  await waitForStandby('');
  await eventually(async () => (await embed()) === 200);
  assert.deepEqual(await notReady(), []);
});
