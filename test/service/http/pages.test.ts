import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Page<Row> = { object: string; data: Row[]; has_more: boolean; next: string | null };
type Named = { name: string };
type Refusal = { error: string; message: string };

/** More than two pages of the default size. */
const organizationsMade = 45;

describe('lists in pages', async () => {
  const app = untilEnd(await listeningApp());
  const admin = await new Browser(app.address).signIn(app.administrator);
  const path = `/v1/organizations/${app.orgId}`;
  for (let i = 0; i < organizationsMade; i += 1) {
    const number = String(i).padStart(2, '0');
    await app.services.organizations.create({ name: i % 2 === 0 ? `Acme ${number}` : `beta ${number}` });
  }

  const get = <Row>(from: string) => admin.ask<Page<Row>>(200, 'GET', from);
  const refuse = async (from: string) => {
    const { error, message } = await admin.ask<Refusal>(400, 'GET', from);
    assert.equal(error, 'invalid_request');
    return message;
  };
  const namesIn = async (query: string): Promise<string[]> => {
    const names: string[] = [];
    let after = '';
    for (;;) {
      const page = await get<Named>(`/v1/organizations?${query}${after}`);
      names.push(...page.data.map(({ name }) => name));
      if (page.next === null) return names;
      after = `&after=${page.next}`;
    }
  };

  test('a list has 20 rows on a page, says whether there are more, and continues after next', async () => {
    const first = await get<Named>('/v1/organizations');
    assert.deepEqual([first.object, first.data.length, first.has_more], ['list', 20, true]);
    const second = await get<Named>(`/v1/organizations?after=${first.next}`);
    const third = await get<Named>(`/v1/organizations?after=${second.next}`);
    assert.deepEqual([third.data.length, third.has_more, third.next], [6, false, null]);
    const names = [first, second, third].flatMap(({ data }) => data.map(({ name }) => name));
    assert.equal(names[0], 'Default');
    assert.equal(new Set(names).size, organizationsMade + 1);
    assert.deepEqual(await namesIn('limit=100'), names);
    assert.deepEqual(await namesIn('limit=7&sort=-created'), names.toReversed());
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
      await app.services.keys.create({ orgId: app.orgId, userId: app.administrator.userId, name });
    }
    const organizations = await get('/v1/organizations?limit=1');
    const keys = await get(`${path}/keys?limit=1`);
    const found = await get('/v1/organizations?q=a&limit=1');
    const other = await app.services.organizations.create({ name: 'Other' });
    const bad = /^after must be the value of next from the page before/;
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [scope] = JSON.parse(Buffer.from(String(organizations.next), 'base64url').toString());
    for (const cursor of [
      ...['x', '%00', 'AAAA', 'bnVsbA', '7B7D', 'W10', String(keys.next), String(found.next)],
      ...[json({}), json([scope]), json([scope, 'a', 'b']), json([scope, 1, 2]), json([scope, 1e300, 'a'])],
      ...[json([scope, 1, 'a\0']), json([scope, 1, 'a', 'b']), json([scope, null, 'a'])],
    ]) {
      assert.match(await refuse(`/v1/organizations?after=${cursor}`), bad, cursor);
    }
    assert.match(await refuse(`/v1/organizations?sort=name&after=${organizations.next}`), bad);
    assert.match(await refuse(`/v1/organizations?q=b&after=${found.next}`), bad);
    assert.match(await refuse(`/v1/organizations/${other.orgId}/keys?after=${keys.next}`), bad);
    assert.match(await refuse(`${path}/keys?sort=created&after=${keys.next}`), bad);
    assert.match(await refuse(`/v1/organizations?after=${'a'.repeat(3_000)}`), /^after /);
    assert.equal((await get(`${path}/keys?after=${keys.next}`)).data.length, 2);
  });

  test('administrators, members and keys list organizations with their use, and the same fields', async () => {
    const { users, members, organizations } = app.services;
    const { user, password } = await users.create({ email: 'grace@example.com', name: 'Grace' });
    const page = await new Browser(app.address).signIn({ email: user.email, password });
    const { orgId } = await organizations.create({ name: 'Used up' });
    await members.add(orgId, user.userId, 'owner');
    const { secret } = await app.services.keys.create({ orgId, userId: user.userId, name: 'a' });
    const headers = { authorization: `Bearer ${secret}` };
    const body = JSON.stringify({ input: 'a text' });
    const json = { 'content-type': 'application/json' };
    await fetch(`${app.address}/v1/embeddings`, { method: 'POST', headers: { ...headers, ...json }, body });
    await app.services.recorder.flush();
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
      assert.ok(Date.now() - Date.parse(row.last_request_at ?? '') < 600_000);
      assert.equal(row.owner, row.role === 'key' ? null : 'Grace');
      assert.equal(total > 40, i === 0);
    }
  });

  test('long responses are compressed for clients that accept it', async () => {
    const { secret } = await app.services.keys.create({ orgId: app.orgId, userId: 'u', name: 'a' });
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
    const { users, members, organizations } = app.services;
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
