import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayOf } from '../../../src/quota/window.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { addUsage } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Row = { key_id: string; name: string; requests_30d: number; series_30d: number[] };
type List = { data: Row[]; next: string | null; total: number; counts: Record<string, number> };
type Details = Row & { lineage: { key_id: string; status: string }[] };

const dayMs = 86_400_000;

describe('the list of keys', async () => {
  const clock = new TestClock('2026-10-01T12:00:00Z');
  const app = untilEnd(await listeningApp({ clock }));
  const { keys, stores } = app.services;
  const { orgId } = await app.services.organizations.create({ name: 'Acme' });
  const admin = await new Browser(app.address).signIn(app.administrator);
  const path = `/v1/organizations/${orgId}/keys`;
  const create = async (name: string, lifetimeMs = 365 * dayMs) =>
    (await keys.create({ orgId, userId: 'user', name, lifetimeMs })).key.keyId;
  const use = (keyId: string, daysAgo: number, figures: { cached: number; failed?: number }) => {
    const none = { failed: 0, texts: 0, tokens: 0, truncated: 0 };
    const lastUsedAt = clock.now() - daysAgo * dayMs;
    const delta = { orgId, keyId, model: 'm', day: dayOf(lastUsedAt), lastUsedAt };
    return addUsage(stores.usage, [{ ...delta, ...none, ...figures }]);
  };
  const list = (query = '') => admin.ask<List>(200, 'GET', `${path}?${query}`);
  const namesIn = async (query: string) => (await list(query)).data.map(({ name }) => name);

  // 40 days before the others.
  const [idle, ended] = [await create('idle one'), await create('ended', 35 * dayMs)];
  clock.advance(40 * dayMs);
  const [indexer, revoked] = [await create('search indexer'), await create('old indexer')];
  await create('short', 10 * dayMs);
  await keys.revoke(revoked);
  await use(idle, 30, { cached: 7 });
  await use(indexer, 0, { cached: 2, failed: 5 });
  await use(indexer, 29, { cached: 3 });

  test('each status lists its keys, and every page counts all of them', async () => {
    const counts = { active: 3, expiring: 1, unused: 1, revoked: 2, all: 5 };
    for (const [status, names] of [
      ['active', ['idle one', 'search indexer', 'short']],
      ['expiring', ['short']],
      ['unused', ['idle one']],
      ['revoked', ['ended', 'old indexer']],
    ] as const) {
      const page = await list(`status=${status}&sort=name`);
      assert.deepEqual(
        page.data.map(({ name }) => name),
        names,
      );
      assert.deepEqual([page.total, page.counts], [names.length, counts], status);
    }
    assert.equal((await list('limit=1')).total, 5);
    assert.ok(ended);
    await admin.ask(400, 'GET', `${path}?status=ended`);
    const { next } = await list('status=active&limit=1');
    assert.equal((await list(`status=active&after=${next}`)).data.length, 2);
    await admin.ask(400, 'GET', `${path}?status=revoked&after=${next}`);
  });

  test('a search finds a part of a name or hint, and counts only what it finds', async () => {
    assert.deepEqual(await namesIn('q=INDEXER'), ['old indexer', 'search indexer']);
    const { hint } = await admin.ask<{ hint: string }>(200, 'GET', `${path}/${indexer}`);
    assert.ok((await namesIn(`q=${hint.slice(-4)}`)).includes('search indexer'));
    const { total, counts } = await list('q=indexer&status=active');
    assert.deepEqual([total, counts.revoked, counts.all], [1, 1, 2]);
  });

  test('each row has the requests of 30 days that had a result, by day', async () => {
    const { data } = await list('sort=-requests&limit=2');
    const [first, second] = data as [Row, Row];
    assert.deepEqual([first.name, first.requests_30d, second.requests_30d], ['search indexer', 5, 0]);
    assert.deepEqual(first.series_30d, [3, ...new Array(28).fill(0), 2]);
  });

  test('keys that were never used sort as the least recently used', async () => {
    const names = await namesIn('sort=-last_used');
    assert.deepEqual(names.slice(0, 2), ['search indexer', 'idle one']);
  });

  test('the list and a key show a request that has just been sent', async () => {
    const { key, secret } = await keys.create({ orgId, userId: 'user', name: 'just used' });
    for (let n = 0; n < 2; n += 1) await requestEmbeddings(app.address, secret, 'the same text');
    const [listed] = (await list('q=just used')).data;
    assert.deepEqual([listed?.name, listed?.requests_30d], ['just used', 2]);
    await requestEmbeddings(app.address, secret, 'the same text');
    const { requests_30d } = await admin.ask<Details>(200, 'GET', `${path}/${key.keyId}`);
    assert.equal(requests_30d, 3);
  });

  test('a key shows the keys that it replaced and that replaced it, but not others', async () => {
    const v1 = await create('rotated');
    clock.advance(1_000);
    const v2 = (await keys.rotate(v1, 0)).key.keyId;
    clock.advance(1_000);
    const v3 = (await keys.rotate(v2, dayMs)).key.keyId;
    for (const keyId of [v1, v2, v3]) {
      const { key_id, lineage, series_30d } = await admin.ask<Details>(200, 'GET', `${path}/${keyId}`);
      assert.deepEqual([key_id, series_30d.length], [keyId, 30]);
      assert.deepEqual(
        lineage.map(({ key_id: id }) => id),
        [v1, v2, v3],
      );
    }
    await admin.ask(404, 'GET', `/v1/organizations/${app.orgId}/keys/${v1}`);
  });
});
