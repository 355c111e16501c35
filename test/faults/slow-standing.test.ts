import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../helpers/app.ts';
import { holdLocks, openPostgres } from '../helpers/postgres.ts';
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

  await using _locked = await holdLocks(url, 'LOCK TABLE quota_windows');
  // Both read the standing at the same time, and only the second needs it.
  const order: string[] = [];
  const [response, usage] = await Promise.all([
    embed().finally(() => order.push('cached response')),
    statusWith(app.address, app.key).finally(() => order.push('time-out')),
  ]);
  assert.deepEqual(order, ['cached response', 'time-out']);
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as { cached: boolean }).cached, true);
  // The last known standing.
  assert.match(String(response.headers.get('x-ratelimit-remaining')), /^\d+$/);
  assert.equal(usage, 503);
});
