import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { listeningApp } from '../../helpers/app.ts';
import { holdLocks, openPostgres } from '../../helpers/postgres.ts';
import { ownPostgres } from '../../helpers/replicas.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';

/** After this time, a replica reads an organization's standing again. */
const standingLastsMs = 1_100;

test('a cached response does not wait until a read of the organization’s standing times out', async () => {
  await using postgres = await openPostgres();
  const url = await postgres.createDatabase();
  await using app = await listeningApp({ environment: ownPostgres(url) });
  const embed = () => requestEmbeddings(app.address, app.key, 'a text');
  assert.equal((await embed()).status, 200);
  await setTimeout(standingLastsMs);

  await using opened = new AsyncDisposableStack();
  const observer = new pg.Client({ connectionString: url });
  opened.defer(() => observer.end());
  await observer.connect();
  await using _locked = await holdLocks(url, 'LOCK TABLE quota_windows');
  const response = await embed();
  // Its read of the standing has not timed out yet.
  const { rowCount } = await observer.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  assert.equal(rowCount, 1);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { cached: boolean }).cached, true);
  // The last known standing.
  assert.match(String(response.headers.get('x-ratelimit-remaining')), /^\d+$/);
  // This request needs the standing itself.
  assert.equal(await statusWith(app.address, app.key), 503);
});
