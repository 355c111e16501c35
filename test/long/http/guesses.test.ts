import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';

describe('password guesses from many addresses', () => {
  let app: ListeningApp;
  const email = 'victim@example.com';
  const password = 'password of the victim';
  let victim: Browser;
  let userId: string;
  let attempts = 0;
  before(async () => {
    app = await listeningApp({ clock: stoppedClock(), environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    userId = (await app.services.users.create({ email, password })).user.userId;
    victim = await new Browser(app.address).signIn({ email, password });
    // With the sign-in above, as many as an account allows from browsers that it does not know.
    for (let i = 0; i < 49; i += 1) {
      assert.equal(await statusOf(new Browser(app.address), 'a wrong password'), 401);
    }
  });
  after(() => app[Symbol.asyncDispose]());

  /** Each attempt comes from an address of its own. */
  const statusOf = async (page: Browser, secret: string): Promise<number> => {
    attempts += 1;
    const forwarded = { 'x-forwarded-for': `198.51.100.${attempts}` };
    const response = await page.send('POST', '/v1/auth/sign-in', { email, password: secret }, forwarded);
    await response.arrayBuffer();
    return response.status;
  };

  test('a browser that never signed in as this user gets 429, even with the right password', async () => {
    assert.equal(await statusOf(new Browser(app.address), password), 429);
    const other = { email: 'other@example.com', password: 'password of another' };
    await app.services.users.create(other);
    const elsewhere = await new Browser(app.address).signIn(other);
    assert.equal(await statusOf(elsewhere, password), 429);
    const forged = new Browser(app.address);
    const cookie = victim.cookie.replace(/(embedgate\.device=[^.]*\.)[^;]*/, '$1forged');
    const response = await forged.send('POST', '/v1/auth/sign-in', { email, password }, { cookie });
    assert.equal(response.status, 429);
  });

  test('a browser that signed in as this user before has an allowance of its own, and is then refused', async () => {
    await victim.ask(204, 'POST', '/v1/auth/sign-out');
    assert.equal(await statusOf(victim, password), 200);
    for (let i = 0; i < 10; i += 1) assert.equal(await statusOf(victim, 'a wrong password'), 401);
    assert.equal(await statusOf(victim, password), 429);
  });

  test('the user can still change the password, and a browser that used a reset link signs in', async () => {
    const page = await new Browser(app.address).signIn(app.administrator);
    const path = `/v1/users/${userId}/password-reset`;
    const { url } = await page.ask<{ url: string }>(201, 'POST', path);
    const reset = { token: url.split('#token=')[1], new_password: 'a new password' };
    const fresh = new Browser(app.address);
    await fresh.ask(204, 'POST', '/v1/auth/password/reset', reset);
    assert.equal(await statusOf(fresh, reset.new_password), 200);
    const change = { current_password: reset.new_password, new_password: password };
    await fresh.ask(204, 'POST', '/v1/me/password', change);
  });

  test('the device cookie signs nobody in, is Secure and HttpOnly, and is sent only to the sign-in', async () => {
    const publicUrl = 'https://embed.example.com';
    await using secure = await listeningApp({ environment: { PUBLIC_URL: publicUrl } });
    const page = new Browser(secure.address, publicUrl);
    const response = await page.send('POST', '/v1/auth/sign-in', secure.administrator);
    const line = response.headers.getSetCookie().find((one) => one.includes('embedgate.device')) ?? '';
    assert.match(
      line,
      /^__Secure-embedgate\.device=[\w.-]+; Max-Age=15552000; Path=\/v1\/auth; HttpOnly; SameSite=Lax; Secure$/,
    );
    const cookie = line.slice(0, line.indexOf(';'));
    const me = await fetch(`${secure.address}/v1/me`, { headers: { cookie } });
    assert.equal(me.status, 401);
  });
});

describe('device cookies that somebody collected with a password', () => {
  test('a new password voids them, which get ten 401s and then 429, and the browser that chose it is known', async () => {
    await using app = await listeningApp({
      clock: stoppedClock(),
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    const email = 'collected@example.com';
    const first = { email, password: 'the first password' };
    const changed = { email, password: 'the second password' };
    const reset = { email, password: 'the third password' };
    const { user } = await app.services.users.create(first);
    const collect = (login: typeof first) =>
      Promise.all(Array.from({ length: 3 }, () => new Browser(app.address).signIn(login)));
    const from = (address: string) => ({ 'x-forwarded-for': address });
    /** One address, which is allowed 10 guesses, tries each cookie. */
    const statuses = async (collected: readonly Browser[], address: string) => {
      const all: number[] = [];
      for (const { cookie } of collected) {
        for (let i = 0; i < 4; i += 1) {
          const body = { email, password: 'a wrong password' };
          const headers = { ...from(address), cookie };
          all.push((await new Browser(app.address).send('POST', '/v1/auth/sign-in', body, headers)).status);
        }
      }
      return all;
    };
    const bounded = [...Array(10).fill(401), 429, 429];

    const early = await collect(first);
    const page = await new Browser(app.address).signIn(first);
    await page.ask(204, 'POST', '/v1/me/password', {
      current_password: first.password,
      new_password: changed.password,
    });
    assert.deepEqual(await statuses(early, '198.51.100.1'), bounded);
    const known = await page.send('POST', '/v1/auth/sign-in', changed, from('198.51.100.1'));
    assert.equal(known.status, 200);

    const late = await collect(changed);
    const { token } = await app.services.passwordResets.create(user.userId, { mailed: true });
    await page.ask(204, 'POST', '/v1/auth/password/reset', { token, new_password: reset.password });
    assert.deepEqual(await statuses(late, '198.51.100.2'), bounded);
    const again = await page.send('POST', '/v1/auth/sign-in', reset, from('198.51.100.2'));
    assert.equal(again.status, 200);
  });
});
