import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayOf } from '../../../src/quota/window.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { addUsage, usageOf } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Page<Row> = { object: string; data: Row[]; has_more: boolean; next: string | null };
type Named = { name: string };
type Refusal = { error: string; message: string };

const clock = new TestClock('2025-10-01T12:00:00Z');
const app = untilEnd(await listeningApp({ clock }));
const admin = await new Browser(app.address).signIn(app.administrator);
const { keys, members, organizations, recorder, stores, users } = app.services;

/** With that of the first start and that of the keys, more than two pages of the default size. */
const organizationsMade = 44;

describe('lists in pages', async () => {
  const path = `/v1/organizations/${app.orgId}`;
  for (let i = 0; i < organizationsMade; i += 1) {
    const number = String(i).padStart(2, '0');
    await organizations.create({ name: i % 2 === 0 ? `Acme ${number}` : `beta ${number}` });
  }

  const get = <Row>(from: string) => admin.ask<Page<Row>>(200, 'GET', from);
  const refuse = async (from: string) => {
    const { error, message } = await admin.ask<Refusal>(400, 'GET', from);
    assert.equal(error, 'invalid_request');
    return message;
  };
  test('a list has 20 rows on a page, says whether there are more, and continues after next', async () => {
    const first = await get<Named>('/v1/organizations');
    assert.deepEqual([first.object, first.data.length, first.has_more], ['list', 20, true]);
    const second = await get<Named>(`/v1/organizations?after=${first.next}`);
    const third = await get<Named>(`/v1/organizations?after=${second.next}`);
    assert.deepEqual([third.data.length, third.has_more, third.next], [6, false, null]);
    const names = [first, second, third].flatMap(({ data }) => data.map(({ name }) => name));
    assert.equal(names[0], 'Default');
    assert.equal(new Set(names).size, organizationsMade + 2);
    const [newest] = (await get<Named>('/v1/organizations?limit=1&sort=-created')).data;
    assert.equal(newest?.name, names.at(-1));
  });

  test('the organizations have only the fields that are asked for, and an unknown one is refused with 400', async () => {
    const { data: whole } = await get<Record<string, unknown>>('/v1/organizations?limit=3');
    for (const fields of ['org_id,name,external_id', 'name,quota,series_28d']) {
      const { data } = await get(`/v1/organizations?limit=3&fields=${fields}`);
      const rows = whole.map((row) => Object.fromEntries(fields.split(',').map((name) => [name, row[name]])));
      assert.deepEqual(data, rows);
    }
    const message = 'fields must be names such as org_id,name, not "nam"';
    assert.equal(await refuse('/v1/organizations?fields=org_id,nam'), message);
  });

  test('a wrong limit, sort or search is refused with 400 that names it', async () => {
    const lists = ['/v1/organizations', '/v1/users', '/v1/me/sessions'];
    for (const part of ['keys', 'members', 'invitations', 'alerts', 'alerts/targets', 'alerts/deliveries']) {
      lists.push(`${path}/${part}`);
    }
    for (const list of lists) {
      for (const limit of ['0', '101', '-1', '1.5', 'ten', '', '1e1', '99999999999']) {
        assert.match(await refuse(`${list}?limit=${limit}`), /^limit must be a whole number from 1 to 100$/);
      }
      assert.match(await refuse(`${list}?sort=size`), /^sort must be /);
      assert.match(await refuse(`${list}?limit=1&limit=2`), /^limit /);
      assert.equal((await get(`${list}?limit=100`)).object, 'list');
    }
    assert.match(await refuse('/v1/organizations?q='), /^q /);
    assert.match(await refuse(`/v1/organizations?q=${'a'.repeat(300)}`), /^q /);
    assert.match(await refuse('/v1/organizations?q=%00'), /^q /);
    assert.match(await refuse('/v1/users?sort=email'), /^sort must be /);
    assert.match(await refuse(`${path}/alerts?status=closed`), /^status must be /);
  });

  test('a cursor is refused unless it comes from the same list, order and search', async () => {
    for (const name of ['one', 'two']) {
      await keys.create({ orgId: app.orgId, userId: app.administrator.userId, name });
    }
    const first = await get('/v1/organizations?limit=1');
    const firstKey = await get(`${path}/keys?limit=1`);
    const found = await get('/v1/organizations?q=a&limit=1');
    const other = await organizations.create({ name: 'Other' });
    const bad = /^after must be the value of next from the page before/;
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [scope] = JSON.parse(Buffer.from(String(first.next), 'base64url').toString());
    for (const cursor of [
      ...['x', '%00', 'AAAA', 'bnVsbA', '7B7D', 'W10', String(firstKey.next), String(found.next)],
      ...[json({}), json([scope]), json([scope, 'a', 'b']), json([scope, 1, 2]), json([scope, 1e300, 'a'])],
      ...[json([scope, 1, 'a\0']), json([scope, 1, 'a', 'b']), json([scope, null, 'a'])],
    ]) {
      assert.match(await refuse(`/v1/organizations?after=${cursor}`), bad, cursor);
    }
    assert.match(await refuse(`/v1/organizations?sort=name&after=${first.next}`), bad);
    assert.match(await refuse(`/v1/organizations?q=b&after=${found.next}`), bad);
    assert.match(await refuse(`/v1/organizations/${other.orgId}/keys?after=${firstKey.next}`), bad);
    assert.match(await refuse(`${path}/keys?sort=created&after=${firstKey.next}`), bad);
    assert.match(await refuse(`/v1/organizations?after=${'a'.repeat(3_000)}`), /^after /);
    assert.equal((await get(`${path}/keys?after=${firstKey.next}`)).data.length, 2);
  });

  test('administrators, members and keys list organizations with their use, and the same fields', async () => {
    const { user, password } = await users.create({ email: 'grace@example.com', name: 'Grace' });
    const page = await new Browser(app.address).signIn({ email: user.email, password });
    const { orgId } = await organizations.create({ name: 'Used up' });
    await members.add(orgId, user.userId, 'owner');
    const { secret } = await keys.create({ orgId, userId: user.userId, name: 'a' });
    const headers = { authorization: `Bearer ${secret}` };
    await requestEmbeddings(app.address, secret, 'a text');
    await recorder.flush();
    type Used = Named &
      Record<'owner' | 'last_request_at', string | null> & { series_28d: number[]; role: string };
    type List = Page<Used> & { total: number };
    const query = '/v1/organizations?sort=-created';
    const lists = [
      await admin.ask<List>(200, 'GET', `${query}&limit=1`),
      await page.ask<List>(200, 'GET', query),
      (await (await fetch(app.address + query, { headers })).json()) as List,
    ];
    for (const [i, { data, total }] of lists.entries()) {
      const [row] = data as [Used];
      assert.deepEqual([row.name, row.series_28d.length, row.series_28d.at(-1)], ['Used up', 28, 1]);
      assert.deepEqual(Object.keys(row), Object.keys(lists[0]!.data[0]!));
      assert.equal(Date.parse(row.last_request_at ?? ''), clock.now());
      assert.equal(row.owner, row.role === 'key' ? null : 'Grace');
      assert.equal(total > 40, i === 0);
    }
  });

  test('long responses are compressed for clients that accept it', async () => {
    const { secret } = await keys.create({ orgId: app.orgId, userId: 'u', name: 'a' });
    const listed = async (encoding: string) => {
      const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': encoding };
      const response = await fetch(`${app.address}${path}/keys`, { headers });
      return { encoding: response.headers.get('content-encoding'), body: await response.json() };
    };
    const [small, plain] = [await listed('br, gzip'), await listed('identity')];
    assert.deepEqual([small.encoding, plain.encoding], ['gzip', null]);
    assert.deepEqual(small.body, plain.body);
  });

  test('members list their own organizations in pages, and a key only its own', async () => {
    const { user, password } = await users.create({ email: 'many@example.com' });
    const person = await new Browser(app.address).signIn({ email: user.email, password });
    for (const name of ['Zoo', 'ant', 'Bee']) {
      await members.add((await organizations.create({ name })).orgId, user.userId, 'viewer');
    }
    const list = async (query: string) =>
      (await person.ask<Page<Named>>(200, 'GET', `/v1/organizations?${query}`)).data.map(({ name }) => name);
    assert.deepEqual(await list(''), ['Zoo', 'ant', 'Bee']);
    assert.deepEqual(await list('sort=name'), ['ant', 'Bee', 'Zoo']);
    assert.deepEqual(await list('q=z'), ['Zoo']);
    assert.deepEqual(await list('q=acme'), []);
    assert.deepEqual(await list(`q=${app.orgId}`), []);
    const first = await person.ask<Page<Named>>(200, 'GET', '/v1/organizations?limit=2');
    assert.deepEqual(await list(`after=${first.next}`), ['Bee']);
    const administrators = await get('/v1/organizations?limit=2');
    await person.ask(400, 'GET', `/v1/organizations?after=${administrators.next}`);

    const headers = { authorization: `Bearer ${app.key}` };
    for (const [query, count] of [
      ['', 1],
      ['?q=def', 1],
      ['?q=acme', 0],
      [`?q=${app.orgId}`, 1],
    ] as const) {
      const response = await fetch(`${app.address}/v1/organizations${query}`, { headers });
      assert.equal(((await response.json()) as Page<Named>).data.length, count, query);
    }
  });
});

type KeyRow = { key_id: string; name: string; requests_30d: number; series_30d: number[] };
type List = { data: KeyRow[]; next: string | null; total: number; counts: Record<string, number> };
type Details = KeyRow & { lineage: { key_id: string; status: string }[] };

const dayMs = 86_400_000;

describe('the list of keys', async () => {
  const { orgId } = await organizations.create({ name: 'Acme' });
  const path = `/v1/organizations/${orgId}/keys`;
  const create = async (name: string, lifetimeMs = 365 * dayMs) =>
    (await keys.create({ orgId, userId: 'user', name, lifetimeMs })).key.keyId;
  const use = (keyId: string, daysAgo: number, figures: { cached: number; failed?: number }) => {
    const lastUsedAt = clock.now() - daysAgo * dayMs;
    return addUsage(stores.usage, [
      usageOf({ orgId, keyId, day: dayOf(lastUsedAt), lastUsedAt, ...figures }),
    ]);
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
    const [first, second] = data as [KeyRow, KeyRow];
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
