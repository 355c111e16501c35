import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../../helpers/app.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';

test('of 40 requests a second, a limit of 10 that paces refuses none and counts 10 in each second', async () => {
  await using app = await listeningApp();
  const { limits, ledger } = app.services;
  const limit = { keyId: null, unit: 'requests', window: 'second', amount: 10, maxWaitMs: 60_000 } as const;
  await limits.add(app.orgId, limit);
  const beganMs = Date.now();
  const statuses: Promise<number>[] = [];
  for (let i = 0; i < 80; i += 1) {
    statuses.push(requestEmbeddings(app.address, app.key, `text ${i}`).then(({ status }) => status));
    await setTimeout(25);
  }
  assert.deepEqual(new Set(await Promise.all(statuses)), new Set([200]));
  const seconds = Math.floor(Date.now() / 1_000) - Math.floor(beganMs / 1_000) + 1;
  assert.ok(seconds >= 8, `80 requests in ${seconds} windows of 10`);
  assert.equal((await ledger.readStanding(app.orgId)).used, 80);
});
