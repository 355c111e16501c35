import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/lib/clock.ts';
import { dayOf } from '../../../../src/quota/window.ts';
import { openSqliteStores } from '../../../../src/store/sqlite/open.ts';
import { UsageRecorder } from '../../../../src/usage/recorder.ts';
import { temporaryDirectory } from '../../../helpers/directory.ts';
import { slowStatement } from '../../../helpers/slow-statement.ts';

test('usage records whose write was given up but still executed count once', async (t) => {
  using directory = temporaryDirectory();
  let deadlineMs = 60_000;
  const stores = await openSqliteStores(directory.path, systemClock, undefined, {
    deadlineMs: () => deadlineMs,
  });
  t.after(() => stores.close());
  const [orgId, keyId] = ['org', 'key'];
  await stores.organizations.insert({
    orgId,
    name: 'Acme',
    tier: 'free',
    custom: null,
    createdAt: 1,
    revision: 1,
  });
  const errors: unknown[] = [];
  const recorder = new UsageRecorder(stores.usage, systemClock, (reason) => errors.push(reason));
  for (let i = 0; i < 3; i += 1) recorder.failed({ orgId, keyId, model: 'test-model' });
  // The thread is busy until long after the deadline; the write is queued behind it and still executes.
  const { db } = (await stores.authDatabase()) as { db: Parameters<typeof slowStatement>[0] };
  deadlineMs = 50;
  const busy = slowStatement(db).catch(() => {});
  await new Promise(setImmediate);
  await recorder.flush();
  await busy;
  deadlineMs = 60_000;
  assert.equal(errors.length, 1);
  recorder.failed({ orgId, keyId, model: 'test-model' });
  while (errors.length > 0) {
    errors.length = 0;
    await recorder.flush();
  }
  const day = dayOf(systemClock.now());
  const rows = await stores.usage.rows(orgId, day - 1, day + 1);
  assert.equal(
    rows.reduce((sum, { failed }) => sum + failed, 0),
    4,
  );
  await recorder.flush();
});
