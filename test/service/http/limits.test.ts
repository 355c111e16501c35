import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Limit = { limit_id: string; key_id: string | null; unit: string; amount: number; used: number };

describe('limits', async () => {
  const people = new Map<'administrator' | 'owner', Browser>();

  const app = untilEnd(await listeningApp({ clock: stoppedClock() }));
  const path = `/v1/organizations/${app.orgId}/limits`;
  for (const who of ['administrator', 'owner'] as const) {
    const isAdmin = who === 'administrator';
    const { user, password } = await app.services.users.create({ email: `${who}@example.com`, isAdmin });
    if (!isAdmin) await app.services.members.add(app.orgId, user.userId, 'owner');
    people.set(who, await new Browser(app.address).signIn({ email: user.email, password }));
  }

  const embed = (key: string, ...input: string[]) => requestEmbeddings(app.address, key, input);
  const newKey = () => app.services.keys.create({ orgId: app.orgId, userId: 'user', name: 'limited' });
  const administrator = () => people.get('administrator')!;
  const owner = () => people.get('owner')!;

  it('refuse a request that exceeds one, name it, and list all policies in the headers', async () => {
    const { key, secret } = await newKey();
    const limit = { key_id: key.keyId, unit: 'texts', window: 'day', amount: 3 };
    await owner().ask(201, 'POST', path, limit);
    const granted = await embed(secret, 'one text', 'another text');
    assert.equal(granted.status, 200);
    assert.match(
      granted.headers.get('ratelimit-policy') ?? '',
      /^"monthly";q=\d+;w=\d+, "key-texts-daily";q=3;qu="texts";w=86400$/,
    );
    assert.match(
      granted.headers.get('ratelimit') ?? '',
      /^"monthly";r=\d+;t=\d+, "key-texts-daily";r=1;t=\d+$/,
    );
    const used = granted.headers.get('x-ratelimit-remaining');

    const refused = await embed(secret, 'a third text', 'a fourth text');
    assert.equal(refused.status, 429);
    const { message } = (await refused.json()) as { message: string };
    assert.match(message, /^Text limit per day exceeded for this key\. Resets on \d{4}-\d\d-\d\dT00:00:00Z$/);
    assert.ok(Number(refused.headers.get('retry-after')) <= 86_400);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), used);

    assert.equal(
      (await embed(secret, 'one text', 'another text')).status,
      200,
      'cached texts count in no limit',
    );
    const { data } = await owner().ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key.keyId}`);
    assert.deepEqual(
      data.map(({ used }) => used),
      [2],
    );
    assert.equal((await embed(secret, '1', '2', '3', '4')).status, 400, 'four texts never fit');
  });

  it('of a member count the requests of their keys, and their own', async () => {
    const { user_id } = await owner().ask<{ user_id: string }>(200, 'GET', '/v1/me');
    const { key } = await owner().ask<{ key: string }>(201, 'POST', `/v1/organizations/${app.orgId}/keys`, {
      name: 'own',
    });
    await owner().ask(201, 'POST', path, { user_id, unit: 'texts', window: 'day', amount: 2 });
    const first = await embed(key, 'by the key of a member');
    assert.match(first.headers.get('ratelimit') ?? '', /"member-texts-daily";r=1;t=\d+$/);
    await owner().ask(200, 'POST', `/v1/organizations/${app.orgId}/embeddings`, { input: 'by the member' });
    assert.equal((await embed(key, 'one more')).status, 429);
    await owner().ask(429, 'POST', `/v1/organizations/${app.orgId}/embeddings`, { input: 'one more' });
    const { data } = await owner().ask<{ data: Limit[] }>(200, 'GET', `${path}?user_id=${user_id}`);
    assert.deepEqual(
      data.map(({ used }) => used),
      [2],
    );
    await owner().ask(204, 'DELETE', `${path}/${data[0]!.limit_id}`);
  });

  it('for new keys are copied to each key that is created', async () => {
    const template = { applies_to: 'new_keys', unit: 'requests', window: 'day', amount: 1 };
    const { limit_id: id } = await owner().ask<Limit>(201, 'POST', path, template);
    const { key_id, key } = await owner().ask<{ key_id: string; key: string }>(
      201,
      'POST',
      `/v1/organizations/${app.orgId}/keys`,
      { name: 'new' },
    );
    assert.equal((await embed(key, 'the first of a new key')).status, 200);
    assert.equal((await embed(key, 'the second of a new key')).status, 429);
    const { data } = await owner().ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key_id}`);
    assert.deepEqual(
      data.map(({ used, amount }) => [used, amount]),
      [[1, 1]],
    );
    await owner().ask(204, 'DELETE', `${path}/${id}`);
    const { data: left } = await owner().ask<{ data: Limit[] }>(200, 'GET', `${path}?applies_to=new_keys`);
    assert.deepEqual(left, []);
  });

  it('count the exact tokens of a model that runs here', async () => {
    const { key, secret } = await newKey();
    await owner().ask(201, 'POST', path, {
      key_id: key.keyId,
      unit: 'tokens',
      window: 'month',
      amount: 10_000,
    });
    const response = await embed(secret, 'How many tokens does this sentence have?', 'And this one?');
    const { usage } = (await response.json()) as { usage: { prompt_tokens: number } };
    const { data } = await owner().ask<{ data: Limit[] }>(200, 'GET', `${path}?key_id=${key.keyId}`);
    assert.equal(data[0]?.used, usage.prompt_tokens);
  });

  it('of an organization are changed by administrators, those of its keys by its owners too', async () => {
    const limit = { unit: 'requests', window: 'hour', amount: 1_000 };
    await owner().ask(403, 'POST', path, limit);
    const { limit_id: id } = await administrator().ask<Limit>(201, 'POST', path, limit);
    await owner().ask(403, 'PATCH', `${path}/${id}`, { amount: 2_000 });
    await owner().ask(403, 'DELETE', `${path}/${id}`);
    const changed = await administrator().ask<Limit>(200, 'PATCH', `${path}/${id}`, { amount: 2_000 });
    assert.equal(changed.amount, 2_000);
    const { data } = await owner().ask<{ data: Limit[] }>(200, 'GET', path);
    assert.deepEqual(
      data.map(({ limit_id }) => limit_id),
      [id],
    );
    await administrator().ask(204, 'DELETE', `${path}/${id}`);
    await administrator().ask(404, 'DELETE', `${path}/${id}`);
  });

  it('are refused with what is wrong', async () => {
    const valid = { unit: 'requests', window: 'hour', amount: 5 };
    for (const wrong of [{ unit: 'bytes' }, { window: 'year' }, { amount: 0 }, { amount: 1.5 }]) {
      await administrator().ask(400, 'POST', path, { ...valid, ...wrong });
    }
    await administrator().ask(404, 'POST', path, {
      ...valid,
      key_id: '01a19672-0b1c-7a8a-a3f6-5a2f0c3f3c11',
    });
    const { limit_id: id } = await administrator().ask<Limit>(201, 'POST', path, valid);
    await administrator().ask(400, 'POST', path, valid);
    await administrator().ask(204, 'DELETE', `${path}/${id}`);
  });
});
