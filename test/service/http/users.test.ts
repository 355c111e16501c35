import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { buildApp } from '../../../src/app.ts';
import { allRows } from '../../../src/lib/page.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { statusWith } from '../../helpers/requests.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type User = { user_id: string; email: string; is_admin: boolean; disabled: boolean };
type Refused = { error: string; message: string };

const publicUrl = 'https://embed.example.com';
const mail = untilEnd(await startMailServer());
const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl, SIGN_UP: 'open' };
const clock = stoppedClock();
const app = untilEnd(await listeningApp({ clock, environment }));
const browser = () => new Browser(app.address, publicUrl);
const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));

describe('changes of users by an administrator', async () => {
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
    await eventually(() => mailsTo(user.email).length === 1);
    const [, token] = /#token=(\S+)/.exec(mailsTo(user.email)[0]?.content ?? '') ?? [];
    await root.ask(200, 'PATCH', user.path, { disabled: true });
    const body = { token, new_password: 'a new password' };
    await browser().ask(400, 'POST', '/v1/auth/password/reset', body);
    await forgot(user.email);
    await forgot(other.email);
    await eventually(() => mailsTo(other.email).length > 0);
    assert.equal(mailsTo(user.email).length, 1);
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

  test('the people of a deleted organization who belong to nothing else are listed, and deleted on request', async () => {
    const { organizations, members, users } = app.services;
    const [one, other] = [
      await organizations.create({ name: 'Gone' }),
      await organizations.create({ name: 'Stays' }),
    ];
    const [owner, guest] = [await newUser(), await newUser()];
    await members.add(one.orgId, owner.userId, 'owner');
    await members.add(one.orgId, guest.userId, 'member');
    await members.add(one.orgId, app.administrator.userId, 'admin');
    await members.add(other.orgId, guest.userId, 'owner');
    const path = `/v1/organizations/${one.orgId}`;
    const session = await browser().signIn(owner);
    await session.ask(403, 'GET', `${path}/members?filter=only_here`);
    await session.ask(403, 'DELETE', `${path}?people=delete`);
    const { data } = await root.ask<{ data: User[] }>(200, 'GET', `${path}/members?filter=only_here`);
    assert.deepEqual(
      data.map(({ user_id }) => user_id),
      [owner.userId],
    );
    const gone = await root.ask<object>(200, 'DELETE', `${path}?people=delete`);
    const people = [{ user_id: owner.userId, email: owner.email }];
    assert.deepEqual(gone, { org_id: one.orgId, name: 'Gone', external_id: null, people });
    assert.equal(await users.find(owner.email), undefined);
    assert.equal((await users.find(guest.email))?.userId, guest.userId);
    await session.ask(401, 'GET', '/v1/me');
  });

  test('users can change only the name of their own account', async () => {
    const page = await browser().signIn(await newUser());
    const before = await page.ask<object>(200, 'GET', '/v1/me');
    for (const field of ['is_admin', 'isAdmin', 'email_verified', 'user_id', 'id', 'disabled', 'role'])
      await page.send('PATCH', '/v1/me', { name: 'Member', [field]: true });
    await page.send('PATCH', '/v1/me', { name: 'Member', email: 'a@example.com' });
    const after = await page.ask<object>(200, 'GET', '/v1/me');
    assert.deepEqual({ ...after, name: undefined }, { ...before, name: undefined });
    await page.ask(403, 'GET', '/v1/users');
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
    assert.match(
      message,
      /last owner of “Orphanage”: name a successor, make another member an owner first, or delete/,
    );
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

  test('the keys of a removed member stay, are revoked, or go to another member, in that organization only', async () => {
    const { members, keys } = app.services;
    const { orgId, path } = await newOrganization('Leavers');
    const [leaver, heir, stranger] = [await newUser(), await newUser(), await newUser()];
    const remove = (status: number, query: string, by = root) =>
      by.ask<Refused>(status, 'DELETE', `${path}/members/${leaver.userId}?${query}`);
    await members.add(orgId, heir.userId, 'admin');
    const elsewhere = await keyOf(leaver.userId);
    await members.add(orgId, leaver.userId, 'member');
    const given = await keyOf(leaver.userId, orgId);
    const page = await browser().signIn(leaver);
    await remove(403, `successor_id=${heir.userId}`, page);
    for (const query of [`successor_id=${stranger.userId}`, `successor_id=${leaver.userId}`]) {
      const { message } = await remove(400, query);
      assert.match(message, /successor_id must be another member/);
    }
    await remove(400, `successor_id=${heir.userId}&revoke_keys=true`);
    assert.equal(await members.role(orgId, leaver.userId), 'member');
    await remove(204, `successor_id=${heir.userId}`);
    const ofHeir = await allRows((query) => keys.list(orgId, { ...query, user_id: heir.userId }));
    assert.deepEqual(
      ofHeir.map(({ name, status }) => [name, status]),
      [['a key', 'active']],
    );

    await members.add(orgId, leaver.userId, 'member');
    const own = await keyOf(leaver.userId, orgId);
    await remove(204, 'revoke_keys=true', page);
    const statuses = await Promise.all([given, own, elsewhere].map((key) => statusWith(app.address, key)));
    assert.deepEqual(statuses, [200, 401, 200]);
    const { data } = await root.ask<{ data: { action: string }[] }>(200, 'GET', `${path}/audit?limit=100`);
    const actions = data.map(({ action }) => action).filter((action) => /^key\.(change|revoke)/.test(action));
    assert.deepEqual(actions, ['key.revoke', 'key.change']);
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

describe('signing in with mail, at a public https address', () => {
  test('the cookie is Secure, and people can sign up while sign-up is open', async () => {
    const page = browser();
    const body = {
      email: 'Open@example.com',
      name: 'Open',
      password: 'a long password',
    };
    for (const wish of [{ isAdmin: true }, { is_admin: true }])
      await page.ask(400, 'POST', '/v1/auth/sign-up', { ...body, ...wish });
    await page.ask(200, 'POST', '/v1/auth/sign-up', body);
    assert.match(page.cookie, /^__Secure-embedgate\.session_token=/);
    const me = await page.ask<Record<string, unknown>>(200, 'GET', '/v1/me');
    assert.deepEqual([me.email, me.is_admin], ['open@example.com', false]);
    await browser().ask(400, 'POST', '/v1/auth/sign-up', body);
    await browser().ask(400, 'POST', '/v1/auth/sign-up', {
      ...body,
      email: 'other@example.com',
      password: 'short',
    });
  });

  test('sign-up has the same rules for names, addresses and passwords as the rest, and refuses with 400', async () => {
    const body = { email: 'rules@example.com', name: 'Rules', password: 'a long password' };
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(201) },
      { name: 'a\u001b[2J' },
      { name: 'a\nb' },
      { name: { first: 'Ada' } },
      { email: 'jürgen@exämple.com' },
      { email: 'a..b@example.com' },
      { password: 'short' },
      { password: 'x'.repeat(129) },
    ]) {
      await browser().ask(400, 'POST', '/v1/auth/sign-up', { ...body, ...wrong });
    }
    const more = {
      image: 'https://evil.example/',
      callbackURL: 'https://evil.example/',
      emailVerified: true,
    };
    const page = browser();
    for (const [name, value] of Object.entries({ ...more, twoFactorEnabled: true }))
      await page.ask(400, 'POST', '/v1/auth/sign-up', { ...body, [name]: value });
    await page.ask(200, 'POST', '/v1/auth/sign-up', body);
    const me = await page.ask<Record<string, unknown>>(200, 'GET', '/v1/me');
    assert.deepEqual([me.name, me.uses_totp], ['Rules', false]);
  });

  test('reset mails to one address are bounded by a 429, whether or not it has an account', async () => {
    const { user } = await app.services.users.create({ email: 'bothered@example.com' });
    for (const email of [user.email, 'nobody-bothered@example.com']) {
      const forgot = (status: number) => browser().ask(status, 'POST', '/v1/auth/password/forgot', { email });
      for (let i = 0; i < 5; i += 1) await forgot(200);
      await forgot(429);
    }
    await eventually(() => mailsTo(user.email).length === 5);
  });

  test('a mailed link replaces a forgotten password; a stranger gets the same response and no mail', async () => {
    const { user } = await app.services.users.create({ email: 'mailed@example.com' });
    for (const email of ['nobody@example.com', user.email]) {
      const answer = await browser().ask(200, 'POST', '/v1/auth/password/forgot', { email });
      assert.deepEqual(answer, { status: 'sent' });
    }
    await eventually(() => mailsTo(user.email).length === 1);
    assert.deepEqual(mailsTo('nobody@example.com'), []);
    const [, token] =
      /https:\/\/embed\.example\.com\/reset-password#token=(\S+)/.exec(mailsTo(user.email)[0]!.content) ?? [];
    await browser().ask(204, 'POST', '/v1/auth/password/reset', { token, new_password: 'a new password' });
    await browser().signIn({ email: user.email, password: 'a new password' });
  });
});

describe('with PASSWORD_SIGN_IN=off', async () => {
  const config = { ...app.services.config, hasPasswords: false };
  const changed = await buildApp({ ...app.services, config });
  untilEnd({ [Symbol.asyncDispose]: () => changed.close().then(() => {}) });
  await changed.ready();
  await once(changed.server.listen(0, '127.0.0.1'), 'listening');
  const { port } = changed.server.address() as AddressInfo;
  const browser = () => new Browser(`http://127.0.0.1:${port}`, publicUrl);

  test('a password that the command line set signs in for an hour', async () => {
    const { user, password } = await app.services.users.resetPassword(app.administrator.email, {
      removeTotp: false,
    });
    clock.advance(59 * 60_000);
    const page = await browser().signIn({ email: user.email, password });
    await page.ask(200, 'GET', '/v1/me');
    clock.advance(2 * 60_000);
    for (const email of [user.email, 'nobody@example.com'])
      await browser().ask(403, 'POST', '/v1/auth/sign-in', { email, password });
    await page.ask(200, 'GET', '/v1/me');
    for (const path of ['/v1/me/totp', '/v1/me/totp/remove']) await page.ask(403, 'POST', path, { password });
  });

  test('no route sets a password, mails a link, or creates an account with a password: each returns 403', async () => {
    const { user, password } = await app.services.users.resetPassword(app.administrator.email, {
      removeTotp: false,
    });
    const page = await browser().signIn({ email: user.email, password });
    const email = 'new@example.com';
    const { token } = await app.services.passwordResets.create(user.userId, { mailed: false });
    const offer = { orgId: app.orgId, email, invitedBy: user.userId, mailed: false } as const;
    const invitation = await app.services.invitations.create({ ...offer, role: 'viewer' });
    const next = 'a new password';
    const refused: [path: string, body: object][] = [
      ['/v1/auth/sign-up', { email, name: 'New', password: next }],
      ['/v1/auth/password/forgot', { email: user.email }],
      ['/v1/auth/password/reset', { token, new_password: next }],
      ['/v1/invitations/accept', { token: invitation.token, name: 'New', password: next }],
      ['/v1/me/password', { current_password: password, new_password: next }],
      ['/v1/users', { email }],
      [`/v1/users/${user.userId}/password-reset`, {}],
    ];
    for (const [path, body] of refused) {
      const { message } = await page.ask<{ message: string }>(403, 'POST', path, body);
      assert.match(message, /^Passwords are turned off/, path);
    }
    assert.equal(await app.services.users.find(email), undefined);
  });

  test('the options of the sign-in page say so', async () => {
    const options = await browser().ask<Record<string, unknown>>(200, 'GET', '/v1/auth/options');
    assert.equal(options.password_sign_in, 'off');
  });
});
