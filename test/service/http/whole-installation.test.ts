import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dayOf } from '../../../src/quota/window.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addUsage, usageOf } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Page<Row> = { data: Row[]; next: string | null };
type Logged = { org_id: string; org_name: string; request_id: string };
type Limit = { org_id: string; org_name: string; used: number; amount: number };
type Usage = { org_id: string; name: string; counted_texts: number; texts: number };

const app = untilEnd(await listeningApp());
const { organizations, keys, stores, recorder, users } = app.services;
const admin = await new Browser(app.address).signIn(app.administrator);

async function newOrganization(name: string) {
  const { orgId } = await organizations.create({ name, tier: 'free' });
  return { orgId, name, key: (await keys.create({ orgId, userId: 'u', name: 'key' })).secret };
}

/** Returns the body of a response to a key, or its status if that isn't 200. */
async function asKey<Body>(key: string, path: string): Promise<Body | number> {
  const response = await fetch(app.address + path, { headers: { authorization: `Bearer ${key}` } });
  return response.status === 200 ? ((await response.json()) as Body) : response.status;
}

describe('reports about all organizations', async () => {
  const first = await newOrganization('first');
  const second = await newOrganization('second');
  const idle = await newOrganization('idle');
  for (const [{ key }, input] of [
    [first, ['one', 'two']],
    [second, ['three']],
  ] as const) {
    // A client can choose an identifier, also one that another organization has used.
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': 'chosen',
    };
    await fetch(`${app.address}/v1/embeddings`, { method: 'POST', headers, body: JSON.stringify({ input }) });
  }
  const log = '/v1/requests?request_id=chosen';
  await eventually(async () => {
    await recorder.flush();
    return (await admin.ask<Page<Logged>>(200, 'GET', log)).data.length === 2;
  });

  test('have a request by its identifier, for a key only if it is its organization’s', async () => {
    const { data } = await admin.ask<Page<Logged>>(200, 'GET', log);
    assert.deepEqual(
      data.map(({ org_id, org_name }) => [org_id, org_name]).sort(),
      [first, second].map(({ orgId, name }) => [orgId, name]).sort(),
    );
    const own = (await asKey<Page<Logged>>(second.key, log)) as Page<Logged>;
    assert.deepEqual(
      own.data.map(({ org_id }) => org_id),
      [second.orgId],
    );
    const all = await admin.ask<Page<Logged>>(200, 'GET', '/v1/requests?limit=1');
    const rest = await admin.ask<Page<Logged>>(200, 'GET', `/v1/requests?limit=1&after=${all.next}`);
    assert.deepEqual(
      [all, rest].flatMap((page) => page.data.map(({ org_id }) => org_id)),
      [second.orgId, first.orgId],
      'newest first',
    );
    const found = await admin.ask<Page<Logged>>(200, 'GET', '/v1/requests?request_id=other');
    assert.deepEqual(found.data, []);
  });

  test('have the usage of each organization, also of those without any, in the days that are asked for', async () => {
    const day = dayOf(Date.parse('2026-01-31T00:00:00Z'));
    await addUsage(stores.usage, [usageOf({ orgId: first.orgId, keyId: 'k', day, texts: 7 })]);
    const list = (query: string) =>
      admin.ask<Page<Usage> & { from: string }>(200, 'GET', `/v1/usage/organizations?limit=1000${query}`);
    const rowsOf = (page: Page<Usage>) =>
      [first, second, idle].map(({ orgId }) => {
        const row = page.data.find(({ org_id }) => org_id === orgId);
        return [row?.name, row?.texts, row?.counted_texts];
      });
    assert.deepEqual(rowsOf(await list('')), [
      ['first', 2, 2],
      ['second', 1, 1],
      ['idle', 0, 0],
    ]);
    const january = await list('&from=2026-01-01&to=2026-01-31');
    assert.equal(january.from, '2026-01-01');
    assert.deepEqual(rowsOf(january)[0], ['first', 7, 0]);
    assert.deepEqual(
      (await list('&q=idl')).data.map(({ name }) => name),
      ['idle'],
    );
    for (const query of ['?limit=1001', '?from=2026-01-01T05:00Z'])
      await admin.ask(400, 'GET', `/v1/usage/organizations${query}`);
    assert.equal(await asKey(first.key, '/v1/usage/organizations'), 403);
  });

  test('have the limits by their use, for a key those of its organization', async () => {
    const limit = { unit: 'requests', window: 'day' };
    const limitOf = ({ orgId }: { orgId: string }, amount: number) =>
      admin.ask(201, 'POST', `/v1/organizations/${orgId}/limits`, { ...limit, amount });
    await limitOf(idle, 1);
    await limitOf(second, 5);
    await fetch(`${app.address}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'four' }),
    });
    const { data } = await admin.ask<Page<Limit>>(200, 'GET', '/v1/limits');
    const rows = data.map(({ org_name, used, amount }) => [org_name, used, amount]);
    assert.deepEqual(rows, [
      ['second', 1, 5],
      ['idle', 0, 1],
    ]);
    const path = `/v1/organizations/${second.orgId}`;
    const below = await admin.ask<Page<Limit>>(200, 'GET', `${path}/limits/all`);
    assert.deepEqual(
      below.data,
      data.filter(({ org_id }) => org_id === second.orgId),
    );
    for (const [query, count] of [
      ['min_used_percent=20&unit=requests', 1],
      ['min_used_percent=21', 0],
      ['of=key', 0],
    ])
      assert.equal(
        (await admin.ask<Page<Limit>>(200, 'GET', `/v1/limits?${query}`)).data.length,
        count,
        `${query}`,
      );
    const own = (await asKey<Page<Limit>>(idle.key, '/v1/limits')) as Page<Limit>;
    assert.deepEqual(
      own.data.map(({ org_id }) => org_id),
      [idle.orgId],
    );
  });

  test('name the organizations that used the most computing time', async () => {
    const { busiest } = await admin.ask<{
      busiest: { org_id: string; name: string; computing_ms: number }[];
    }>(200, 'GET', '/v1/service');
    assert.deepEqual(busiest.map(({ name }) => name).sort(), ['first', 'second']);
  });

  test('are not for people who are no administrators', async () => {
    const { user, password } = await users.create({ email: 'member@example.com', isAdmin: false });
    const member = await new Browser(app.address).signIn({ email: user.email, password });
    for (const path of ['/v1/requests', '/v1/usage/deprecated', '/v1/usage/organizations', '/v1/limits'])
      await member.ask(403, 'GET', path);
  });
});
