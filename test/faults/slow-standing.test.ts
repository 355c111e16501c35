import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { openPostgres, runSql } from '../helpers/postgres.ts';
import { ownPostgres } from '../helpers/replicas.ts';
import { requestEmbeddings, statusWith } from '../helpers/requests.ts';

/** After this time, a replica reads an organization's standing again. */
const standingLastsMs = 1_100;

test('a cached response does not wait until a read of the organization’s standing times out', async () => {
  await using postgres = await openPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  const embed = () => requestEmbeddings(app.address, app.key, 'a text');
  assert.equal((await embed()).status, 200);
  await setTimeout(standingLastsMs);

  const holding = runSql(url, 'BEGIN; LOCK TABLE quota_windows; SELECT pg_sleep(60)').catch(() => {});
  const holders = `FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  try {
    await eventually(async () => (await runSql(url, `SELECT ${holders}`)).length > 0);
    let hasGivenUp = false;
    const usage = statusWith(app.address, app.key).then((status) => {
      hasGivenUp = true;
      return status;
    });
    await eventually(async () => (await runSql(url, waiting)).length > 0);
    const response = await embed();
    assert.equal(hasGivenUp, false);
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { cached: boolean }).cached, true);
    // The last known standing.
    assert.match(String(response.headers.get('x-ratelimit-remaining')), /^\d+$/);
    assert.equal(await usage, 503);
  } finally {
    await runSql(url, `SELECT pg_terminate_backend(pid) ${holders}`);
    await holding;
  }
});
