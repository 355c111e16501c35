import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allRows } from '../../../src/lib/page.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { statusWith } from '../../helpers/requests.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type User = { user_id: string; email: string; is_admin: boolean; disabled: boolean };
type Refused = { error: string; message: string };

describe('changes of users by an administrator', async () => {
  const publicUrl = 'http://embedgate.test';
  const mail = untilEnd(await startMailServer());
  const app = untilEnd(await listeningApp({ environment: { SMTP_URL: mail.url, PUBLIC_URL: publicUrl } }));
  const browser = () => new Browser(app.address, publicUrl);
  const root = await browser().signIn(app.administrator);
  const rootPath = `/v1/users/${app.administrator.userId}`;

  let made = 0;
  const newUser = async ({ isAdmin = false } = {}) => {
    const { user, password } = await app.services.users.create({
      email: `user${made++}@example.com`,
      isAdmin,
    });
    const { userId, email } = user;
    return { userId, email, password, path: `/v1/users/${userId}` };
  };
  const newOrganization = async (name: string) => {
    const { org_id } = await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name });
    return { orgId: org_id, path: `/v1/organizations/${org_id}` };
  };
  const keyOf = async (userId: string, orgId = app.orgId) =>
    (await app.services.keys.create({ orgId, userId, name: 'a key' })).secret;

  test('the only administrator who can sign in cannot be disabled, demoted or deleted: 400', async () => {
    const other = await newUser({ isAdmin: true });
    await root.ask(200, 'PATCH', other.path, { disabled: true });
    for (const body of [{ disabled: true }, { is_admin: false }, { disabled: true, is_admin: true }]) {
      const { message } = await root.ask<Refused>(400, 'PATCH', rootPath, body);
      assert.match(message, /only administrator who can sign in: make another user an administrator first/);
    }
    await root.ask(400, 'DELETE', rootPath);
    await root.ask(200, 'PATCH', other.path, { disabled: false });
    const second = await browser().signIn(other);
    await second.ask(200, 'PATCH', rootPath, { is_admin: false });
    await root.ask(403, 'GET', '/v1/users');
    await second.ask(400, 'PATCH', other.path, { disabled: true });
    assert.equal((await second.ask<User>(200, 'PATCH', rootPath, { is_admin: true })).is_admin, true);
    await root.ask(204, 'DELETE', other.path);
  });

  test('a user who does not exist gets 404, and revoke_keys without disabling gets 400', async () => {
    const path = `/v1/users/${app.orgId}`;
    await root.ask(404, 'GET', path);
    await root.ask(404, 'PATCH', path, { disabled: true });
    await root.ask(404, 'DELETE', path);
    await root.ask(404, 'DELETE', `${path}/sessions`);
    const user = await newUser();
    await root.ask(400, 'PATCH', user.path, { revoke_keys: true });
    await root.ask(400, 'PATCH', user.path, { revoke_keys: true, disabled: false });
    await root.ask(400, 'PATCH', user.path, { disabled: 'yes' });
    await root.ask(400, 'DELETE', `${user.path}?revoke_keys=perhaps`);
    assert.equal((await root.ask<User>(200, 'GET', user.path)).disabled, false);
  });

  test('a disabled user gets 403 when they sign in with a password or finish with a code', async () => {
    const user = await newUser();
    const page = await browser().signIn(user);
    const { password } = user;
    const { uri } = await page.ask<{ uri: string }>(200, 'POST', '/v1/me/totp', { password });
    const confirmedAtMs = Date.now();
    await page.ask(204, 'POST', '/v1/me/totp/confirm', { code: totpCode(uri, confirmedAtMs) });
    const code = () => totpCode(uri, Math.max(Date.now(), confirmedAtMs + 30_000));
    const half = await browser().signIn(user);
    const changed = await root.ask<User>(200, 'PATCH', user.path, { disabled: true });
    assert.equal(changed.disabled, true);
    await page.ask(401, 'GET', '/v1/me');
    await half.ask(401, 'POST', '/v1/auth/sign-in/totp', { code: code() });
    await half.ask(401, 'GET', '/v1/me');
    const { error, message } = await browser().ask<Refused>(403, 'POST', '/v1/auth/sign-in', {
      email: user.email,
      password,
    });
    assert.deepEqual([error, message.includes('disabled')], ['forbidden', true]);
    await root.ask(200, 'PATCH', user.path, { disabled: false });
    const back = await browser().signIn(user);
    await back.ask(200, 'POST', '/v1/auth/sign-in/totp', { code: code() });
    await back.ask(200, 'GET', '/v1/me');
  });

  test('a disabled user gets no reset link by mail, and an older link is void', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const forgot = (email: string) => browser().ask(200, 'POST', '/v1/auth/password/forgot', { email });
    await forgot(user.email);
    await eventually(() => mail.mails.length === 1);
    const [, token] = /#token=(\S+)/.exec(mail.mails[0]?.content ?? '') ?? [];
    await root.ask(200, 'PATCH', user.path, { disabled: true });
    const body = { token, new_password: 'a new password' };
    await browser().ask(400, 'POST', '/v1/auth/password/reset', body);
    await forgot(user.email);
    await forgot(other.email);
    await eventually(() => mail.mails.some(({ to }) => to.includes(other.email)));
    assert.equal(mail.mails.filter(({ to }) => to.includes(user.email)).length, 1);
    await root.ask(200, 'PATCH', user.path, { disabled: false });
    await browser().ask(400, 'POST', '/v1/auth/password/reset', body);
  });

  test('a session that outlives the disabling because its sign-in was in progress is refused', async () => {
    const user = await newUser();
    const page = await browser().signIn(user);
    using database = secondConnection(app.dataDir);
    database.prepare('UPDATE users SET is_disabled = 1 WHERE id = ?').run(user.userId);
    assert.equal((await allRows((page) => app.services.sessions.list(user.userId, page))).length, 1);
    await page.ask(401, 'GET', '/v1/me');
  });

  test('the last owner of an organization cannot be deleted until another member is an owner: 400', async () => {
    const { members } = app.services;
    const [owner, successor] = [await newUser(), await newUser()];
    const { orgId, path } = await newOrganization('Orphanage');
    await members.add(orgId, owner.userId, 'owner');
    await root.ask(204, 'DELETE', `${path}/members/${app.administrator.userId}`);
    await members.add(orgId, successor.userId, 'member');
    const key = await keyOf(owner.userId, orgId);
    const { message } = await root.ask<Refused>(400, 'DELETE', `${owner.path}?revoke_keys=true`);
    assert.match(message, /last owner of “Orphanage”: make another member an owner first, or delete/);
    assert.equal(await statusWith(app.address, key), 200);
    await (await browser().signIn(owner)).ask(400, 'DELETE', `${path}/members/${owner.userId}`);
    await root.ask(200, 'PATCH', `${path}/members/${successor.userId}`, { role: 'owner' });
    await root.ask(204, 'DELETE', owner.path);
    await root.ask(400, 'DELETE', successor.path);
    await root.ask(204, 'DELETE', path);
    await root.ask(204, 'DELETE', successor.path);
  });

  test('an owner cannot leave an organization whose other owners are disabled: 400', async () => {
    const { members } = app.services;
    const [owner, disabled] = [await newUser(), await newUser()];
    const { orgId, path } = await newOrganization('Half asleep');
    for (const { userId } of [owner, disabled]) await members.add(orgId, userId, 'owner');
    await root.ask(204, 'DELETE', `${path}/members/${app.administrator.userId}`);
    await root.ask(200, 'PATCH', disabled.path, { disabled: true });
    const page = await browser().signIn(owner);
    await page.ask(400, 'DELETE', `${path}/members/${owner.userId}`);
    await page.ask(400, 'PATCH', `${path}/members/${owner.userId}`, { role: 'admin' });
    await root.ask(400, 'DELETE', owner.path);
    await page.ask(204, 'DELETE', `${path}/members/${disabled.userId}`);
    await root.ask(200, 'PATCH', owner.path, { disabled: true });
    const { message } = await root.ask<Refused>(400, 'DELETE', `${path}/members/${owner.userId}`);
    assert.match(message, /needs an owner who can sign in/);
  });

  test('an administrator ends all sessions of a user, who signs in again', async () => {
    const user = await newUser();
    const pages = [await browser().signIn(user), await browser().signIn(user)];
    assert.deepEqual(await root.ask(200, 'DELETE', `${user.path}/sessions`), { ended: 2 });
    for (const page of pages) await page.ask(401, 'GET', '/v1/me');
    await root.ask(200, 'GET', '/v1/me');
    await browser().signIn(user);
  });
});
