import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { eventually } from '../../helpers/eventually.ts';
import { postEmbeddings, requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { dimensions, sound, UpstreamServer } from '../../helpers/upstream-server.ts';

describe('many requests at a time', async () => {
  const server = untilEnd(await new UpstreamServer().listen());
  const directory = untilEnd(temporaryDirectory());
  const file = join(directory.path, 'embedgate.json');
  const models = [{ upstream: { model: 'theirs', max_tokens: 100, dimensions, urls: [server.url] } }];
  const prices = [{ model: 'theirs', per_million_tokens: 0.3, per_thousand_requests: 1.5 }];
  writeFileSync(file, JSON.stringify({ models, prices, currency: 'EUR' }));
  const app = untilEnd(
    await listeningApp({
      environment: { EMBEDGATE_CONFIG: file },
      bounds: { maxConnectionsPerAddress: 40, maxRequestsPerOrganization: 30 },
    }),
  );
  const administrator = await new Browser(app.address).signIn(app.administrator);

  /** The texts that the upstream computes now, and the most that it has computed at a time. */
  const computing = { now: 0, most: 0 };
  /** Lets the upstream respond. */
  let open = Promise.withResolvers<void>();
  beforeEach(() => {
    computing.most = 0;
    open = Promise.withResolvers();
    server.otherwise = async (response, asked) => {
      computing.now += asked.input.length;
      computing.most = Math.max(computing.most, computing.now);
      await open.promise;
      computing.now -= asked.input.length;
      sound(response, asked);
    };
  });

  const organization = async (limit?: object) => {
    const { orgId } = await app.services.organizations.create({ name: 'Many' });
    const { key, secret } = await app.services.keys.create({ orgId, userId: 'ada', name: 'all at once' });
    const path = `/v1/organizations/${orgId}/limits`;
    if (limit) await administrator.ask(201, 'POST', path, limit);
    const limits = async () => (await administrator.ask<{ data: Limit[] }>(200, 'GET', path)).data;
    const used = async () => (await app.services.ledger.readStanding(orgId)).used;
    return { orgId, keyId: key.keyId, secret, limits, used };
  };
  type Limit = { unit: string; window: string | null; resets_at: string | null; used: number };
  const embed = (secret: string, text: string, signal?: AbortSignal) =>
    postEmbeddings(app.address, secret, { input: text }, signal);
  let count = 0;
  const texts = (number: number) => Array.from({ length: number }, () => `text ${++count}`);

  it('beyond a limit get 429 at once, uncounted, and the limit shows how many are in progress', async () => {
    const { secret, limits, used } = await organization({ unit: 'requests_at_once', amount: 2 });
    const [a, b, c] = texts(3) as [string, string, string];
    const first = [embed(secret, a), embed(secret, b)];
    await eventually(() => computing.now === 2);
    const refused = await embed(secret, c);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.match(
      ((await refused.json()) as { message: string }).message,
      /^This organization may have 2 requests at a time/,
    );
    const [limit] = await limits();
    assert.deepEqual(
      [limit?.unit, limit?.window, limit?.resets_at, limit?.used],
      ['requests_at_once', null, null, 2],
    );
    open.resolve();
    for (const response of await Promise.all(first)) assert.equal(response.status, 200);
    assert.equal(await used(), 2);
    assert.equal((await embed(secret, a)).status, 200, 'one from the cache');
    assert.equal((await limits())[0]?.used, 0);
  });

  it('wait in turn for a limit that waits, and leave nothing counted when clients disconnect', async () => {
    const limit = { unit: 'requests_at_once', amount: 2, max_wait_seconds: 60 };
    const { secret, limits, used } = await organization(limit);
    const gone = new AbortController();
    const sent = texts(12).map((text, i) =>
      embed(secret, text, i % 3 === 0 ? gone.signal : undefined).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    await eventually(() => computing.now === 2);
    gone.abort();
    open.resolve();
    const statuses = await Promise.all(sent);
    assert.deepEqual(
      statuses.filter((status) => status !== 0),
      Array(8).fill(200),
    );
    assert.equal(computing.most, 2);
    await eventually(async () => (await limits())[0]?.used === 0);
    assert.ok((await used()) >= 8);
  });

  it('that wait go on when the limit is raised, before newer ones', async () => {
    const { orgId, secret } = await organization();
    const path = `/v1/organizations/${orgId}/limits`;
    const limit = { unit: 'requests_at_once', amount: 1, max_wait_seconds: 60 };
    const { limit_id: id } = await administrator.ask<{ limit_id: string }>(201, 'POST', path, limit);
    const sent = texts(3).map((text) => embed(secret, text));
    await eventually(() => computing.now === 1);
    await administrator.ask(200, 'PATCH', `${path}/${id}`, { amount: 4 });
    sent.push(...texts(1).map((text) => embed(secret, text)));
    await eventually(() => computing.now === 4);
    open.resolve();
    for (const response of await Promise.all(sent)) assert.equal(response.status, 200);
  });

  it('of a key wait for their limit, while those of another key go on', async () => {
    const { orgId, keyId, secret } = await organization();
    const limit = { key_id: keyId, unit: 'requests_at_once', amount: 1, max_wait_seconds: 30 };
    await administrator.ask(201, 'POST', `/v1/organizations/${orgId}/limits`, limit);
    const other = (await app.services.keys.create({ orgId, userId: 'ben', name: 'other' })).secret;
    const held = [...texts(2).map((text) => embed(secret, text)), embed(other, ...(texts(1) as [string]))];
    await eventually(() => computing.now === 2);
    open.resolve();
    for (const response of await Promise.all(held)) assert.equal(response.status, 200);
    assert.equal(computing.most, 2);
  });

  it('on connections of their own, and more than an organization may have in progress, are all answered', async () => {
    const { secret } = await organization({ unit: 'requests_at_once', amount: 8, max_wait_seconds: 60 });
    const alone = (text: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
        const sent = request(`${app.address}/v1/embeddings`, { method: 'POST', headers, agent: false });
        sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
        sent.on('error', reject).end(JSON.stringify({ input: text }));
      });
    open.resolve();
    const statuses = await Promise.all(texts(200).map(alone));
    assert.deepEqual(statuses, Array(200).fill(200));
    assert.ok(computing.most <= 8);
  });

  it('beyond what an organization may have in progress get 429 without a limit that waits', async () => {
    const { secret } = await organization();
    const sent = texts(31).map((text) => embed(secret, text));
    const first = await Promise.race(sent);
    assert.equal(first.status, 429);
    assert.match(await first.text(), /MAX_REQUESTS_PER_ORGANIZATION/);
    open.resolve();
    await Promise.all(sent);
  });

  it('cost what their model costs, once, and a limit of cost and the report have one number', async () => {
    const { orgId, secret, limits } = await organization({ unit: 'cost', window: 'month', amount: 7_000 });
    open.resolve();
    // 1.5 per thousand requests is 1,500 millionths, and 7 tokens at 0.3 per million are 2.1.
    for (const text of ['abcdefg', 'abcdefg', 'gfedcba', 'hfedcba'])
      assert.equal((await requestEmbeddings(app.address, secret, text)).status, 200);
    const report = await administrator.ask<{ currency: string; totals: { cost: number; counted: number } }>(
      200,
      'GET',
      `/v1/organizations/${orgId}/usage`,
    );
    assert.deepEqual(
      [report.currency, report.totals.counted, report.totals.cost],
      ['EUR', 3, 3 * (1_500 + 3)],
    );
    assert.equal((await limits())[0]?.used, report.totals.cost);
    assert.equal((await requestEmbeddings(app.address, secret, 'one more')).status, 200);
    const refused = await requestEmbeddings(app.address, secret, 'and another one');
    assert.equal(refused.status, 429);
    assert.match(await refused.text(), /Cost limit per month exceeded for this organization/);
  });

  it('of a user whose id is any text are limited over all of their keys', async () => {
    const { orgId, secret } = await organization();
    const path = `/v1/organizations/${orgId}/limits`;
    const limit = { user_id: 'ada', unit: 'requests', window: 'day', amount: 1 };
    await administrator.ask(404, 'POST', path, { ...limit, user_id: 'nobody' });
    await administrator.ask(201, 'POST', path, limit);
    const { data } = await administrator.ask<{ data: { user_id: string }[] }>(
      200,
      'GET',
      `${path}?user_id=ada`,
    );
    assert.deepEqual(
      data.map(({ user_id }) => user_id),
      ['ada'],
    );
    open.resolve();
    const second = (await app.services.keys.create({ orgId, userId: 'ada', name: 'second' })).secret;
    const other = (await app.services.keys.create({ orgId, userId: 'new_keys', name: 'other' })).secret;
    const [a, b, c] = texts(3) as [string, string, string];
    assert.equal((await embed(secret, a)).status, 200);
    const refused = await embed(second, b);
    assert.equal(refused.status, 429);
    assert.match(await refused.text(), /Request limit per day exceeded for this user/);
    assert.equal((await embed(other, c)).status, 200);
  });
});
