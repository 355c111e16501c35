import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { statusWith } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Key = { key_id: string; key: string; expires_at: string };

describe('a link that hands a key over', async () => {
  const clock = new TestClock(new Date(Date.now()).toISOString());
  const app = untilEnd(await listeningApp({ clock }));
  const admin = await new Browser(app.address).signIn(app.administrator);
  const path = `/v1/organizations/${app.orgId}/keys`;
  const create = () => admin.ask<Key>(201, 'POST', path, { name: 'for Bea' });
  const link = async ({ key_id }: Key) => {
    const { url, expires_at } = await admin.ask<{ url: string; expires_at: string }>(
      201,
      'POST',
      `${path}/${key_id}/link`,
    );
    assert.equal(Date.parse(expires_at) - clock.now(), 3 * 86_400_000);
    const [page, token] = url.split('#token=');
    assert.equal(page, `${app.address}/key`);
    return token!;
  };
  const open = (token: string) => new Browser(app.address).send('POST', '/v1/key-links/open', { token });
  const status = async (token: string) => (await open(token)).status;

  it('gives another secret of the same key to the first who opens it, and ends the secret from before', async () => {
    const key = await create();
    const token = await link(key);
    assert.equal(await statusWith(app.address, key.key), 200);
    const responses = await Promise.all(Array.from({ length: 5 }, () => open(token)));
    assert.deepEqual(responses.map((response) => response.status).sort(), [200, 404, 404, 404, 404]);
    const opened = (await responses.find((response) => response.ok)!.json()) as Key;
    assert.deepEqual([opened.key_id, opened.expires_at], [key.key_id, key.expires_at]);
    assert.deepEqual(
      [await statusWith(app.address, opened.key), await statusWith(app.address, key.key)],
      [200, 401],
    );
    assert.equal(await status(token), 404);
  });

  it('is void once another link was opened, and after three days', async () => {
    const key = await create();
    const [one, other] = [await link(key), await link(key)];
    assert.equal(await status(other), 200);
    assert.equal(await status(one), 404);
    const late = await link(key);
    clock.advance(3 * 86_400_000);
    assert.equal(await status(late), 404);
  });

  it('opens nothing once the key is revoked, or if it is changed or made up', async () => {
    const key = await create();
    const token = await link(key);
    const [value = '', signature = ''] = token.split('.');
    const [id, end] = value.split('_');
    for (const wrong of [
      `${id}_${Number(end) + 1}.${signature}`,
      `${(await create()).key_id}_${end}.${signature}`,
      value,
      `${value}.`,
      '',
      '.',
      '\0',
    ])
      assert.equal(await status(wrong), 404, wrong);
    await admin.ask(200, 'POST', `${path}/${key.key_id}/revoke`);
    assert.equal(await status(token), 400);
  });

  it('is not made by the key itself, which nobody would find by its leaked secret any more', async () => {
    const { key, key_id } = await create();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${app.address}${path}/${key_id}/link`, { method: 'POST', headers });
    assert.equal(response.status, 403);
  });
});
