import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { networkOf } from '../../../src/lib/network-of.ts';
import { digestPassword, withSender } from '../../../src/users/passwords.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Options = { sign_up: string; password_reset: string; providers: unknown[] };

describe('signing in', async () => {
  const environment = { TRUSTED_PROXIES: '127.0.0.1' };
  const app = untilEnd(await listeningApp({ clock: stoppedClock(), environment }));
  const { attempts } = app.services;

  const browser = () => new Browser(app.address);
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
    const response = await fetch(`${app.address}/v1/me`, { headers: { cookie } });
    assert.deepEqual(
      [response.status, ((await response.json()) as { error: string }).error],
      [401, 'not_signed_in'],
    );
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
    await browser().ask(401, 'POST', '/v1/auth/sign-in', body);
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
    for (let i = 0; i < 7; i += 1) await attempts.admit('127.0.0.1', user.email);
    const attempt = () => browser().send('POST', '/v1/auth/sign-in', { email: user.email, password });
    const statuses = (await Promise.all(Array.from({ length: 5 }, attempt))).map(({ status }) => status);
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
    const reset = (status: number, token: string | undefined) =>
      browser().ask(status, 'POST', '/v1/auth/password/reset', { token, new_password: 'chosen by link' });

    const [used, other] = [await link(), await link()];
    await reset(204, used);
    await reset(400, other);

    const beforeChange = await link();
    await page.signIn({ email: user.email, password: 'chosen by link' });
    await page.ask(204, 'POST', '/v1/me/password', {
      current_password: 'chosen by link',
      new_password: password,
    });
    await reset(400, beforeChange);

    const beforeCommand = await link();
    await app.services.users.resetPassword(user.email, { removeTotp: false });
    await reset(400, beforeCommand);
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
    for (const protocol of ['javascript', 'ftp', 'a b', '']) {
      const response = await fetch(`${app.address}/v1/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-proto': protocol },
        body: JSON.stringify(app.administrator),
      });
      assert.equal(response.status, protocol === '' ? 200 : 400, protocol);
    }
    const page = new Browser(app.address, app.address.replace('http:', 'https:'));
    const proxied = { 'x-forwarded-proto': 'https' };
    const response = await page.send('POST', '/v1/auth/sign-in', app.administrator, proxied);
    assert.equal(response.status, 200);
    for (const cookie of response.headers.getSetCookie()) assert.match(cookie, /; Secure$/);
  });
});

describe('signing in with mail, at a public https address', async () => {
  const publicUrl = 'https://embed.example.com';
  const mail = untilEnd(await startMailServer());
  const app = untilEnd(
    await listeningApp({
      clock: stoppedClock(),
      environment: { SMTP_URL: mail.url, PUBLIC_URL: publicUrl, SIGN_UP: 'open' },
    }),
  );
  const browser = () => new Browser(app.address, publicUrl);

  test('the cookie is Secure, and people can sign up while sign-up is open', async () => {
    const page = browser();
    const body = {
      email: 'Open@example.com',
      name: 'Open',
      password: 'a long password',
      isAdmin: true,
      is_admin: true,
    };
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
    await page.ask(200, 'POST', '/v1/auth/sign-up', { ...body, ...more, twoFactorEnabled: true });
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
    await eventually(() => mail.mails.filter(({ to }) => to[0] === user.email).length === 5);
  });

  test('a mailed link replaces a forgotten password; a stranger gets the same response and no mail', async () => {
    const { user } = await app.services.users.create({ email: 'mailed@example.com' });
    for (const email of ['nobody@example.com', user.email]) {
      const answer = await browser().ask(200, 'POST', '/v1/auth/password/forgot', { email });
      assert.deepEqual(answer, { status: 'sent' });
    }
    const mailed = () => mail.mails.filter(({ to }) => to[0] !== 'bothered@example.com');
    await eventually(() => mailed().length > 0);
    assert.deepEqual(
      mailed().map(({ to }) => to),
      [[user.email]],
    );
    const [, token] =
      /https:\/\/embed\.example\.com\/reset-password#token=(\S+)/.exec(mailed()[0]?.content ?? '') ?? [];
    await browser().ask(204, 'POST', '/v1/auth/password/reset', { token, new_password: 'a new password' });
    await browser().signIn({ email: user.email, password: 'a new password' });
  });
});
