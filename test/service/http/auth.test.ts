import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import fastify from 'fastify';
import type { App } from '../../../src/http/app-types.ts';
import { clientAddress } from '../../../src/http/plugins/client-address.ts';
import { networkOf } from '../../../src/lib/network-of.ts';
import { digestPassword, withSender } from '../../../src/users/passwords.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Options = { sign_up: string; password_reset: string; providers: unknown[] };

const environment = { TRUSTED_PROXIES: '127.0.0.1' };
const app = untilEnd(await listeningApp({ clock: stoppedClock(), environment }));
const browser = () => new Browser(app.address);

describe('signing in', async () => {
  const { attempts } = app.services;

  const root = await browser().signIn(app.administrator);
  const newUser = async (name: string) =>
    app.services.users.create({ email: `${name}@example.com`, name, password: `password of ${name}` });
  const signedIn = async (name: string) => {
    const { user, password } = await newUser(name);
    return { user, password, page: await browser().signIn({ email: user.email, password }) };
  };

  test('the administrator of the first start signs in and out', async () => {
    const page = await browser().signIn(app.administrator);
    const me = await page.ask<Record<string, unknown>>(200, 'GET', '/v1/me');
    assert.deepEqual(
      [me.object, me.user_id, me.email, me.is_admin],
      ['user', app.administrator.userId, 'admin@embedgate.internal', true],
    );
    const { cookie } = page;
    await page.ask(204, 'POST', '/v1/auth/sign-out');
    assert.doesNotMatch(page.cookie, /session_token/);
    const notSignedIn = {
      error: 'not_signed_in',
      message: 'There is no session, or it has ended. Sign in again.',
    };
    for (const headers of [{ cookie }, { 'sec-fetch-site': 'same-origin' }]) {
      const response = await fetch(`${app.address}/v1/me`, { headers: headers as Record<string, string> });
      assert.deepEqual([response.status, await response.json()], [401, notSignedIn]);
    }
  });

  test('the session cookie is HttpOnly and SameSite and lasts a week, and the page offers what is set up', async () => {
    const { user, password } = await newUser('cookie');
    const response = await browser().send('POST', '/v1/auth/sign-in', { email: user.email, password });
    const [cookie] = response.headers.getSetCookie();
    assert.match(
      cookie ?? '',
      /^embedgate\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const options = await browser().ask<Options>(200, 'GET', '/v1/auth/options');
    assert.deepEqual(options, {
      password_sign_in: 'on',
      sign_up: 'closed',
      password_reset: 'administrator',
      providers: [],
      contact: null,
      has_session: false,
    });
  });

  test('a wrong password and an unknown address get the same 401', async () => {
    const answers = await Promise.all(
      [app.administrator.email, 'nobody@example.com', 'no address'].map(async (email) => {
        const response = await browser().send('POST', '/v1/auth/sign-in', {
          email,
          password: 'not the password',
        });
        return [response.status, await response.json()];
      }),
    );
    const wrong = { error: 'invalid_credentials', message: 'Wrong email or password' };
    for (const answer of answers) assert.deepEqual(answer, [401, wrong]);
  });

  /** Keeps the queue of passwords full while `body` runs. */
  const whilePasswordsWait = async <R>(body: () => Promise<R>): Promise<R> => {
    let isFull = true;
    const sendPasswords = async () => {
      while (isFull) await digestPassword('a password that waits');
    };
    const waiting = withSender({ network: networkOf('127.0.0.1'), isKnown: false }, () =>
      Array.from({ length: 8 }, sendPasswords),
    );
    const result = await body();
    isFull = false;
    await Promise.all(waiting);
    return result;
  };

  test('while too many passwords wait, each sign-in gets the same 503 and uses up no attempts', async () => {
    const { user, password } = await newUser('patient');
    for (let i = 0; i < 9; i += 1) await attempts.admit('127.0.0.1', user.email);
    await whilePasswordsWait(async () => {
      const sent = { email: user.email, password };
      for (const body of [sent, sent, { ...sent, password: 'wrong' }, { ...sent, email: 'no@example.com' }])
        await browser().ask(503, 'POST', '/v1/auth/sign-in', body);
    });
    await browser().signIn({ email: user.email, password });
  });

  test('a page of another site cannot sign in, use a session or end it: it gets 403', async () => {
    const { user, password, page } = await signedIn('victim');
    const foreign = { origin: 'https://evil.example' };
    const path = `/v1/organizations/${app.orgId}`;
    for (const [method, url, body] of [
      ['POST', '/v1/auth/sign-in', { email: user.email, password }],
      ['POST', '/v1/auth/sign-out', undefined],
      ['PATCH', '/v1/me', { name: 'taken over' }],
      ['DELETE', path, undefined],
    ] as const) {
      const response = await page.send(method, url, body, foreign);
      assert.equal(response.status, 403, `${method} ${url}`);
    }
    const nowhere = await fetch(`${app.address}/v1/me`, {
      method: 'PATCH',
      headers: { cookie: page.cookie, 'content-type': 'application/json' },
      body: '{"name":"taken over"}',
    });
    assert.equal(nowhere.status, 403);
    const form = await page.send('PATCH', '/v1/me', undefined, { 'content-type': 'text/plain' });
    assert.equal(form.status, 415);
    assert.equal((await page.ask<{ name: string }>(200, 'GET', '/v1/me')).name, 'victim');
    assert.equal((await page.ask<{ name: string }>(200, 'PATCH', '/v1/me', { name: 'V.' })).name, 'V.');
  });

  test('a page at another address gets a 403 that says to set PUBLIC_URL to it', async () => {
    const page = new Browser(app.address, 'https://embed.example.com');
    const { message } = await page.ask<{ message: string }>(
      403,
      'POST',
      '/v1/auth/sign-in',
      app.administrator,
    );
    assert.equal(
      message,
      `A request with a session must come from ${app.address}, but this one came from https://embed.example.com. ` +
        'If people reach this service at https://embed.example.com, start it with PUBLIC_URL=https://embed.example.com',
    );
  });

  test('sign-up gets 403 while it is closed', async () => {
    const body = { email: 'new@example.com', name: 'New', password: 'a long password' };
    await browser().ask(403, 'POST', '/v1/auth/sign-up', body);
    const { name: _name, ...credentials } = body;
    await browser().ask(401, 'POST', '/v1/auth/sign-in', credentials);
  });

  test('guesses at one address are bounded by a 429 that says when to try again', async () => {
    const { user, password } = await newUser('guessed');
    for (let i = 0; i < 9; i += 1) await attempts.admit('127.0.0.1', user.email);
    const guess = (guessed: string) =>
      browser().send('POST', '/v1/auth/sign-in', { email: user.email, password: guessed });
    assert.equal((await guess('wrong guess')).status, 401);
    const refused = await guess('wrong guess');
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) <= 600);
    assert.equal((await guess(password)).status, 429);
  });

  test('correct sign-ins, also at the same time, do not use up the attempts of an account', async () => {
    const { user, password } = await newUser('often');
    for (let i = 0; i < 8; i += 1) await attempts.admit('127.0.0.1', user.email);
    const attempt = () => browser().send('POST', '/v1/auth/sign-in', { email: user.email, password });
    const statuses = (await Promise.all(Array.from({ length: 3 }, attempt))).map(({ status }) => status);
    assert.ok(statuses.includes(200), `${statuses}`);
    await browser().signIn({ email: user.email, password });
  });

  test('the page to return to from a provider must be a path of printable ASCII: 400', async () => {
    for (const path of ['/\u2028/x', '/a b', '//elsewhere', '/\u00e9']) {
      const body = { provider: 'github', return_to: path };
      const error = await browser().ask<{ message: string }>(400, 'POST', '/v1/auth/sign-in/provider', body);
      assert.match(error.message, /return_to/);
    }
  });

  test('a user who is deleted while they remove their second factor gets no 500', async () => {
    for (const waitMs of [0, 30, 60]) {
      const { user, password, page } = await signedIn(`leaving${waitMs}`);
      const removed = page.send('POST', '/v1/me/totp/remove', { password });
      await setTimeout(waitMs);
      await app.services.userChanges.delete(user.userId);
      const { status } = await removed;
      // 400: the password was deleted with its user before it could be checked.
      assert.ok([204, 400, 401, 403].includes(status), `${status}`);
    }
  });

  test('a changed password ends the other sessions', async () => {
    const { user, password, page } = await signedIn('changing');
    const other = await browser().signIn({ email: user.email, password });
    const change = { current_password: password, new_password: 'another password' };
    await page.ask(400, 'POST', '/v1/me/password', { ...change, current_password: 'not this one' });
    await page.ask(400, 'POST', '/v1/me/password', { ...change, new_password: 'short' });
    await page.ask(204, 'POST', '/v1/me/password', change);
    await page.ask(200, 'GET', '/v1/me');
    await other.ask(401, 'GET', '/v1/me');
    await browser().signIn({ email: user.email, password: change.new_password });
  });

  test('sign-in requires the second factor once it is confirmed, and each code works once', async () => {
    const { user, password, page } = await signedIn('totp');
    await page.ask(400, 'POST', '/v1/me/totp', { password: 'not this one' });
    const setup = await page.ask<{ uri: string; backup_codes: string[] }>(200, 'POST', '/v1/me/totp', {
      password,
    });
    await browser().signIn({ email: user.email, password });
    await page.ask(401, 'POST', '/v1/me/totp/confirm', { code: '000000' });
    const confirmedAtMs = Date.now();
    await page.ask(204, 'POST', '/v1/me/totp/confirm', { code: totpCode(setup.uri, confirmedAtMs) });
    assert.equal((await page.ask<{ uses_totp: boolean }>(200, 'GET', '/v1/me')).uses_totp, true);

    const begun = async () => {
      const next = browser();
      const answer = await next.ask<{ status: string }>(200, 'POST', '/v1/auth/sign-in', {
        email: user.email,
        password,
      });
      assert.equal(answer.status, 'totp_required');
      await next.ask(401, 'GET', '/v1/me');
      return next;
    };
    const byCode = await begun();
    await byCode.ask(401, 'POST', '/v1/auth/sign-in/totp', { code: '000000' });
    const confirmed = totpCode(setup.uri, confirmedAtMs);
    await byCode.ask(401, 'POST', '/v1/auth/sign-in/totp', { code: confirmed });
    // The code of the next step is already valid, since clocks differ.
    const code = totpCode(setup.uri, confirmedAtMs + 30_000);
    await (await begun()).ask(200, 'POST', '/v1/auth/sign-in/totp', { code });
    const again = await begun();
    await again.ask(401, 'POST', '/v1/auth/sign-in/totp', { code });
    await again.ask(401, 'GET', '/v1/me');
    const [backup_code] = setup.backup_codes;
    await (await begun()).ask(200, 'POST', '/v1/auth/sign-in/totp', { backup_code });
    await (await begun()).ask(401, 'POST', '/v1/auth/sign-in/totp', { backup_code });

    await page.ask(204, 'POST', '/v1/me/totp/remove', { password });
    await page.ask(200, 'GET', '/v1/me');
  });

  test('without mail, an administrator gets the reset link, which works once and ends all sessions', async () => {
    const { user, page } = await signedIn('forgetful');
    const forgot = await browser().ask(200, 'POST', '/v1/auth/password/forgot', { email: user.email });
    assert.deepEqual(forgot, { status: 'ask_administrator' });
    const { url } = await root.ask<{ url: string }>(201, 'POST', `/v1/users/${user.userId}/password-reset`);
    const [, token] = /\/reset-password#token=(.+)$/.exec(url) ?? [];
    const reset = { token, new_password: 'a new password' };
    await browser().ask(400, 'POST', '/v1/auth/password/reset', { ...reset, token: 'none' });
    await browser().ask(204, 'POST', '/v1/auth/password/reset', reset);
    await browser().ask(400, 'POST', '/v1/auth/password/reset', reset);
    await page.ask(401, 'GET', '/v1/me');
    await browser().signIn({ email: user.email, password: reset.new_password });
    await root.ask(404, 'POST', '/v1/users/user_none/password-reset');
  });

  test('a new password voids all other reset links, whoever requested it', async () => {
    const { user, password, page } = await signedIn('many-links');
    const link = async () => {
      const path = `/v1/users/${user.userId}/password-reset`;
      return (await root.ask<{ url: string }>(201, 'POST', path)).url.split('#token=')[1];
    };
    const isVoid = (token: string | undefined) =>
      browser().ask(400, 'POST', '/v1/auth/password/reset', { token, new_password: 'chosen by link' });

    const beforeChange = await link();
    const change = { current_password: password, new_password: 'another password' };
    await page.ask(204, 'POST', '/v1/me/password', change);
    await isVoid(beforeChange);

    const beforeCommand = await link();
    await app.services.users.resetPassword(user.email, { removeTotp: false });
    await isVoid(beforeCommand);
  });

  test('an address is accepted for a new user exactly when it can sign in', async () => {
    for (const email of [
      'jürgen@exämple.com',
      'a..b@example.com',
      '.a@example.com',
      'a.@example.com',
      'a!b@example.com',
      'a@-example.com',
      'a@example.c0m',
      'a@example..com',
    ]) {
      const refused = await root.ask<{ message: string }>(400, 'POST', '/v1/users', { email });
      assert.match(refused.message, /^email must be an email address of plain letters/, email);
    }
    for (const email of ['a.b+c@example.com', "o'neil@example.com", '_@xn--exmple-cua.com', 'a-@b-.co']) {
      const { password } = await root.ask<{ password: string }>(201, 'POST', '/v1/users', { email });
      await browser().signIn({ email, password });
    }
  });

  test('an X-Forwarded-Proto that is neither http nor https gets 400 before anything else is checked', async () => {
    const { email, password } = app.administrator;
    for (const protocol of ['javascript', 'ftp', 'a b', '']) {
      const response = await fetch(`${app.address}/v1/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-proto': protocol },
        body: JSON.stringify({ email, password }),
      });
      assert.equal(response.status, protocol === '' ? 200 : 400, protocol);
    }
    const page = new Browser(app.address, app.address.replace('http:', 'https:'));
    const proxied = { 'x-forwarded-proto': 'https' };
    const response = await page.send('POST', '/v1/auth/sign-in', { email, password }, proxied);
    assert.equal(response.status, 200);
    for (const cookie of response.headers.getSetCookie()) assert.match(cookie, /; Secure$/);
  });
});

type Session = {
  session_id: string;
  is_current: boolean;
  address: string | null;
  user_agent: string | null;
  created_at: string;
  renewed_at: string;
  expires_at: string;
};

describe('the sessions of a user', () => {
  let made = 0;
  const newUser = async () => {
    const { user, password } = await app.services.users.create({ email: `s${made++}@example.com` });
    return { email: user.email, password };
  };
  /** Signs in from an address, with a browser that sends its name. */
  const signInFrom = async (user: object, address: string, userAgent: string) => {
    const page = browser();
    const headers = { 'x-forwarded-for': address, 'user-agent': userAgent, 'x-embedgate-address': '6.6.6.6' };
    assert.equal((await page.send('POST', '/v1/auth/sign-in', user, headers)).status, 200);
    return page;
  };
  const list = async (page: Browser) =>
    (await page.ask<{ data: Session[] }>(200, 'GET', '/v1/me/sessions')).data;

  test('the list shows when, from where and with which browser, marks the current session, and has no token', async () => {
    const user = await newUser();
    const phone = await signInFrom(user, '192.0.2.7:41234', 'Phone/1.0');
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
    const program = fastify({ trustProxy: ['127.0.0.1'] });
    clientAddress(program as unknown as App);
    program.get('/', async ({ ip }) => ip);
    for (const [header, address] of Object.entries(stated)) {
      const { body } = await program.inject({ url: '/', headers: { 'x-forwarded-for': header } });
      assert.equal(body, address, header);
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

  test('a session ends SESSION_DAYS after the sign-in, although it is in use', async () => {
    await using brief = await listeningApp({ environment: { SESSION_DAYS: '30' } });
    const page = await new Browser(brief.address).signIn(brief.administrator);
    using database = secondConnection(brief.dataDir);
    const [{ session_id }] = (await list(page)) as [Session];
    const began = (days: number) =>
      database
        .prepare('UPDATE sessions SET created_at = ? WHERE id = ?')
        .run(new Date(Date.now() - days * 86_400_000).toISOString(), session_id);
    began(29);
    await page.ask(200, 'GET', '/v1/me');
    began(31);
    await page.ask(401, 'GET', '/v1/me');
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

  test('a sign-in begins a new session, whatever cookie the browser sends', async () => {
    const [other, made] = [await newUser(), await newUser()];
    const { cookie: before } = await browser().signIn(other);
    const response = await browser().send('POST', '/v1/auth/sign-in', made, {
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
});
