import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { done } from '../../helpers/outcomes.ts';
import { statusWith } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Key = { key_id: string; key: string; expires_at: string };
type Rotated = Key & { replaces: { key_id: string; expires_at: string } };
type Revoked = { status: string; also_revoked: string[] };

const dayMs = 86_400_000;

describe('rotation over HTTP', async () => {
  let path: string;
  const app = untilEnd(await listeningApp({ environment: { MAX_KEYS_PER_ORGANIZATION: '5' } }));
  const admin = await new Browser(app.address).signIn(app.administrator);
  beforeEach(async () => {
    const made = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'Acme' });
    path = `/v1/organizations/${made.org_id}/keys`;
  });

  const create = (body: object = {}) => admin.ask<Key>(201, 'POST', path, { name: 'a key', ...body });
  const rotate = (keyId: string, graceSeconds: number) =>
    admin.ask<Rotated>(201, 'POST', `${path}/${keyId}/rotate`, { grace_seconds: graceSeconds });
  const revoke = (keyId: string) => admin.ask<Revoked>(200, 'POST', `${path}/${keyId}/revoke`);
  const asKey = ({ key, key_id }: Key, action: string, body?: object) =>
    fetch(`${app.address}${path}/${key_id}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const rotateItself = async (key: Key, graceSeconds: number): Promise<Rotated> => {
    const response = await asKey(key, 'rotate', { grace_seconds: graceSeconds });
    assert.equal(response.status, 201);
    return (await response.json()) as Rotated;
  };
  const refusalOf = async (response: Response): Promise<string> => {
    const body = (await response.json()) as { error: string; message: string };
    assert.deepEqual([response.status, body.error], [400, 'invalid_request']);
    return body.message;
  };
  const accepted = (...keys: Key[]) =>
    Promise.all(keys.map(async ({ key }) => (await statusWith(app.address, key)) === 200));

  it('refuses a second successor while the first is valid, and names the first', async () => {
    const old = await create();
    const first = await rotate(old.key_id, 60);
    const again = await admin.send('POST', `${path}/${old.key_id}/rotate`, {});
    assert.match(await refusalOf(again), new RegExp(`rotate its successor ${first.key_id}`));
    assert.match(await refusalOf(await asKey(old, 'rotate', {})), /already rotated/);
    const data = await admin.ask<{ data: unknown[] }>(200, 'GET', path);
    assert.equal(data.data.length, 2);
  });

  it('creates one successor for several concurrent requests', async () => {
    const old = await create();
    const responses = await Promise.all(Array.from({ length: 5 }, () => asKey(old, 'rotate', {})));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400, 400]);
  });

  it('gives the successor of a key that rotates itself the same expiry', async () => {
    const old = await create({ expires_in_days: 1 });
    const one = await rotateItself(old, 31_536_000);
    const two = await rotateItself(one, 0);
    assert.deepEqual([one.expires_at, two.expires_at], [old.expires_at, old.expires_at]);
    assert.equal(one.replaces.expires_at, old.expires_at);
  });

  it('gives a key that a person rotates the lifetime that the old one was created with', async () => {
    const old = await create({ expires_in_days: 30 });
    const lifetimeDays = ({ expires_at }: Key) => Math.round((Date.parse(expires_at) - Date.now()) / dayMs);
    const first = await rotate(old.key_id, 60);
    assert.equal(lifetimeDays(first), 30);
    await revoke(first.key_id);
    const second = await rotate(old.key_id, 60);
    assert.equal(lifetimeDays(second), 30);
    const third = await rotate((await rotateItself(second, 60)).key_id, 60);
    assert.equal(lifetimeDays(third), 30);
  });

  it('gives a key that never expires a successor that never expires', async () => {
    const never = await create({ expires_in_days: null });
    assert.match((await rotate(never.key_id, 60)).expires_at, /^9999-/);
  });

  it('lets a key rotate itself only once, whatever happens to its successor', async () => {
    const old = await create();
    const successor = await rotateItself(old, 3_600);
    await revoke(successor.key_id);
    assert.match(await refusalOf(await asKey(old, 'rotate', {})), /only a person can rotate it again/);
    await rotate(old.key_id, 3_600);
  });

  it('lists on the command line the successors that it revokes', async () => {
    const environment = { DATA_DIR: app.dataDir };
    const [leaked, other] = [await create(), await create()];
    const made = await rotateItself(leaked, 3_600);
    const args = ['keys', 'revoke', '--key-id'];
    const text = done(await embedgate([...args, leaked.key_id], environment));
    assert.equal(text, `Revoked ${leaked.key_id}.\nRevoked its successor ${made.key_id}.\n`);
    assert.deepEqual(await accepted(leaked, made, other), [false, false, true]);
    const otherMade = await rotateItself(other, 3_600);
    assert.deepEqual(await embedgateJson([...args, other.key_id], environment), {
      key_id: other.key_id,
      status: 'revoked',
      also_revoked: [otherMade.key_id],
    });
  });

  it('revokes the successors of a key that revokes itself', async () => {
    const old = await create();
    const successor = await rotateItself(old, 3_600);
    assert.equal((await asKey(old, 'revoke')).status, 200);
    assert.deepEqual(await accepted(old, successor), [false, false]);
  });

  it('keeps the successor that a person created when the old key is revoked', async () => {
    const old = await create();
    const successor = await rotate(old.key_id, 3_600);
    assert.deepEqual((await revoke(old.key_id)).also_revoked, []);
    assert.deepEqual(await accepted(old, successor), [false, true]);
    const own = await rotateItself(successor, 3_600);
    await revoke(successor.key_id);
    assert.deepEqual(await accepted(successor, own), [false, false]);
  });

  it('leaves no key valid when a key is revoked while it rotates itself', async () => {
    for (let round = 0; round < 3; round += 1) {
      const old = await create();
      const [rotation] = await Promise.all([asKey(old, 'rotate', {}), revoke(old.key_id)]);
      const body = (await rotation.json()) as Key;
      if (rotation.status === 201) assert.deepEqual(await accepted(body), [false]);
      else assert.ok([400, 401].includes(rotation.status));
      const made = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'Next' });
      path = `/v1/organizations/${made.org_id}/keys`;
    }
  });

  const tooMany = /^The organization has 5 valid API keys, .*MAX_KEYS_PER_ORGANIZATION/;

  it('bounds the valid keys that people and keys create, and lets people rotate the last one', async () => {
    const keys: Key[] = [];
    for (let made = 0; made < 5; made += 1) keys.push(await create());
    assert.match(await refusalOf(await admin.send('POST', path, { name: 'one more' })), tooMany);
    assert.match(await refusalOf(await asKey(keys[1]!, 'rotate', {})), tooMany);
    assert.deepEqual(await accepted(await rotate(keys[0]!.key_id, 60), ...keys), Array(6).fill(true));
  });

  it('has room for keys whatever a leaked key has created and revoked', async () => {
    const leaked = await create({ scopes: ['manage:keys'] });
    const inUse = await create();
    const asLeakedSends = (to: string, body: object = {}) =>
      fetch(`${app.address}${to}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${leaked.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const asLeaked = async (to: string, body: object = {}) => {
      const response = await asLeakedSends(to, body);
      assert.ok(response.ok, await response.clone().text());
      return (await response.json()) as Key;
    };
    for (let made = 0; made < 6; made += 1) {
      const { key_id } = await asLeaked(path, { name: 'x', scopes: [] });
      await asLeaked(`${path}/${key_id}/revoke`);
    }
    let last = inUse.key_id;
    for (let made = 0; made < 2; made += 1)
      last = (await asLeaked(`${path}/${last}/rotate`, { grace_seconds: 86_400 })).key_id;
    await asLeaked(path, { name: 'x', scopes: [] });
    assert.match(await refusalOf(await asLeakedSends(`${path}/${last}/rotate`)), tooMany);
    await revoke(leaked.key_id);
    assert.deepEqual(await accepted(await create(), await rotate(last, 0)), [true, true]);
  });
});
