import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Session = {
  session_id: string;
  is_current: boolean;
  address: string | null;
  user_agent: string | null;
  created_at: string;
  renewed_at: string;
  expires_at: string;
};

describe('the sessions of a user', async () => {
  const app = untilEnd(await listeningApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } }));

  let made = 0;
  const newUser = async () => {
    const { user, password } = await app.services.users.create({ email: `s${made++}@example.com` });
    return { email: user.email, password };
  };
  /** Signs in from an address, with a browser that sends its name. */
  const signInFrom = async (user: object, address: string, userAgent: string) => {
    const page = new Browser(app.address);
    const headers = { 'x-forwarded-for': address, 'user-agent': userAgent, 'x-embedgate-address': '6.6.6.6' };
    assert.equal((await page.send('POST', '/v1/auth/sign-in', user, headers)).status, 200);
    return page;
  };
  const list = async (page: Browser) =>
    (await page.ask<{ data: Session[] }>(200, 'GET', '/v1/me/sessions')).data;

  test('the list shows when, from where and with which browser, marks the current session, and has no token', async () => {
    const user = await newUser();
    const phone = await signInFrom(user, '192.0.2.7', 'Phone/1.0');
    const laptop = await signInFrom(user, '2001:db8::7', 'Laptop/2.0');
    await signInFrom(await newUser(), '192.0.2.9', 'Another user');
    const sessions = await list(laptop);
    assert.deepEqual(
      sessions.map(({ address, user_agent, is_current }) => [address, user_agent, is_current]).sort(),
      [
        ['192.0.2.7', 'Phone/1.0', false],
        ['2001:db8::7', 'Laptop/2.0', true],
      ],
    );
    const aWeekMs = 7 * 86_400_000;
    for (const { created_at, renewed_at, expires_at } of sessions) {
      assert.ok(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - aWeekMs) < 60_000);
      assert.ok(Date.parse(renewed_at) >= Date.parse(created_at));
    }
    const text = JSON.stringify(sessions);
    for (const page of [phone, laptop]) {
      const [, token = ''] = /session_token=([^.;]+)/.exec(page.cookie) ?? [];
      assert.ok(token.length >= 32 && !text.includes(token));
    }
  });

  test('the address is that of the client without port, brackets and quotes, or of the connection if the header has none', async () => {
    const stated = {
      '192.0.2.1:41234': '192.0.2.1',
      '"192.0.2.1"': '192.0.2.1',
      '[2001:db8::1]:443': '2001:db8::1',
      '"[2001:db8::1]"': '2001:db8::1',
      '2001:db8::1': '2001:db8::1',
      'unknown, 192.0.2.1': '192.0.2.1',
      '192.0.2.1:1, 127.0.0.1:2': '192.0.2.1',
      _hidden: '127.0.0.1',
      '6.6.6.6, unknown': '127.0.0.1',
    };
    const user = await newUser();
    for (const [header, address] of Object.entries(stated)) {
      const page = await signInFrom(user, header, 'here');
      const current = (await list(page)).find(({ is_current }) => is_current);
      assert.equal(current?.address, address, header);
    }
  });

  test('an ended session is refused, and users cannot end other users’ sessions', async () => {
    const user = await newUser();
    const [here, there] = [
      await signInFrom(user, '192.0.2.1', 'here'),
      await signInFrom(user, '192.0.2.2', 'there'),
    ];
    const stranger = await signInFrom(await newUser(), '192.0.2.3', 'stranger');
    const other = (await list(here)).find(({ is_current }) => !is_current);
    const path = `/v1/me/sessions/${other?.session_id}`;
    await stranger.ask(404, 'DELETE', path);
    await there.ask(200, 'GET', '/v1/me');
    await here.ask(204, 'DELETE', path);
    await there.ask(401, 'GET', '/v1/me');
    await here.ask(404, 'DELETE', path);
    const [own] = await list(here);
    await here.ask(204, 'DELETE', `/v1/me/sessions/${own?.session_id}`);
    await here.ask(401, 'GET', '/v1/me');
  });

  test('all other sessions end at once, and the current one stays', async () => {
    const user = await newUser();
    const pages = await Promise.all(['a', 'b', 'c'].map((name) => signInFrom(user, '192.0.2.1', name)));
    const stranger = await signInFrom(await newUser(), '192.0.2.1', 'stranger');
    const [here, ...others] = pages as [Browser, Browser, Browser];
    assert.deepEqual(await here.ask(200, 'DELETE', '/v1/me/sessions'), { ended: 2 });
    for (const page of others) await page.ask(401, 'GET', '/v1/me');
    assert.deepEqual(
      (await list(here)).map(({ is_current }) => is_current),
      [true],
    );
    await stranger.ask(200, 'GET', '/v1/me');
    assert.deepEqual(await here.ask(200, 'DELETE', '/v1/me/sessions'), { ended: 0 });
  });

  test('a page of another site gets 403 when it tries to end sessions', async () => {
    const page = await signInFrom(await newUser(), '192.0.2.1', 'here');
    const headers = { origin: 'https://evil.example' };
    assert.equal((await page.send('DELETE', '/v1/me/sessions', undefined, headers)).status, 403);
  });

  test('a sign-in begins a new session, whatever cookie the browser sends', async () => {
    const [other, made] = [await newUser(), await newUser()];
    const { cookie: before } = await new Browser(app.address).signIn(other);
    const response = await new Browser(app.address).send('POST', '/v1/auth/sign-in', made, {
      cookie: before,
    });
    assert.equal(response.status, 200);
    const [session = ''] = response.headers.getSetCookie().filter((line) => line.includes('session_token='));
    const value = /session_token=([^;]+)/.exec(session)?.[1] ?? '';
    assert.ok(value.length > 20 && !before.includes(value));
    const signedIn = await fetch(`${app.address}/v1/me`, {
      headers: { cookie: `embedgate.session_token=${value}` },
    });
    assert.equal(((await signedIn.json()) as { email: string }).email, made.email);
  });

  test('users can change only the name of their own account', async () => {
    const page = await new Browser(app.address).signIn(await newUser());
    const before = await page.ask<object>(200, 'GET', '/v1/me');
    for (const field of [
      'is_admin',
      'isAdmin',
      'email',
      'email_verified',
      'user_id',
      'id',
      'disabled',
      'role',
    ]) {
      await page.send('PATCH', '/v1/me', {
        name: 'Member',
        [field]: field === 'email' ? 'a@example.com' : true,
      });
    }
    const after = await page.ask<object>(200, 'GET', '/v1/me');
    assert.deepEqual({ ...after, name: undefined }, { ...before, name: undefined });
    await page.ask(403, 'GET', '/v1/users');
  });
});
