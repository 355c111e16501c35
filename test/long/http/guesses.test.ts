import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('password guesses from many addresses', async () => {
  const email = 'victim@example.com';
  const password = 'password of the victim';
  let attempts = 0;
  const app = untilEnd(
    await listeningApp({ clock: stoppedClock(), environment: { TRUSTED_PROXIES: '127.0.0.1' } }),
  );
  const userId = (await app.services.users.create({ email, password })).user.userId;
  const victim = await new Browser(app.address).signIn({ email, password });
  // With the sign-in above, as many as an account allows from browsers that it does not know.
  /** Each attempt comes from an address of its own. */
  const statusOf = async (page: Browser, secret: string): Promise<number> => {
    attempts += 1;
    const forwarded = { 'x-forwarded-for': `198.51.100.${attempts}` };
    const response = await page.send('POST', '/v1/auth/sign-in', { email, password: secret }, forwarded);
    await response.arrayBuffer();
    return response.status;
  };
  for (let i = 0; i < 49; i += 1) {
    assert.equal(await statusOf(new Browser(app.address), 'a wrong password'), 401);
  }

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
    const { email: address, password: secret } = secure.administrator;
    const body = { email: address, password: secret };
    const response = await page.send('POST', '/v1/auth/sign-in', body);
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

const step = '/v1/auth/sign-in/totp';

describe('guesses at second-factor codes by somebody who has the password', async () => {
  const app = untilEnd(
    await listeningApp({ clock: stoppedClock(), environment: { TRUSTED_PROXIES: '127.0.0.1' } }),
  );

  let addresses = 0;
  const browser = () => new Browser(app.address);
  /** Sends a request from an address that nobody has used. */
  const send = (page: Browser, path: string, body: unknown, headers = {}) => {
    addresses += 1;
    const address = `198.51.${100 + (addresses >> 8)}.${addresses & 255}`;
    return page.send('POST', path, body, { 'x-forwarded-for': address, ...headers });
  };
  const statusOf = async (page: Browser, body: unknown) => (await send(page, step, body)).status;
  const begin = async ({ email, password }: { email: string; password: string }, page = browser()) => {
    const response = await send(page, '/v1/auth/sign-in', { email, password });
    assert.deepEqual(await response.json(), { status: 'totp_required' });
    return page;
  };
  /** A user who has turned the second factor on, in a browser. */
  const newUser = async (name: string) => {
    const user = { email: `${name}@example.com`, password: `password of ${name}` };
    // A reset of the password removes the second factor of an account whose address was never proved.
    await app.services.users.create({ ...user, emailVerified: true });
    const page = await browser().signIn(user);
    const { email, password } = user;
    const setup = await page.ask<{ uri: string; backup_codes: string[] }>(200, 'POST', '/v1/me/totp', {
      password,
    });
    const atMs = Date.now();
    await page.ask(204, 'POST', '/v1/me/totp/confirm', { code: totpCode(setup.uri, atMs) });
    // The code of the next step is already valid, since clocks differ. Later, it may no longer be valid.
    const code = () => totpCode(setup.uri, Math.max(Date.now(), atMs + 30_000));
    return { email, password, page, codes: setup.backup_codes, code };
  };
  /** Guesses from unknown browsers until one is refused, and returns how many guesses were checked. */
  const guesses = async (user: { email: string; password: string }, wrong: object) => {
    const statuses: number[] = [];
    for (let challenge = 0; challenge < 3; challenge += 1) {
      const page = await begin({ email: user.email, password: user.password });
      for (let i = 0; i < 5; i += 1) statuses.push(await statusOf(page, wrong));
    }
    const looked = statuses.filter((status) => status === 401).length;
    assert.deepEqual(statuses, [...Array(looked).fill(401), ...Array(15 - looked).fill(429)]);
    return looked;
  };

  test('guesses get 429 after 10 codes, and the owner signs in with a code on a known browser', async () => {
    const owner = await newUser('locked-code');
    assert.equal(await guesses(owner, { code: '000000' }), 10);
    await begin(owner, owner.page);
    assert.equal(await statusOf(owner.page, { code: owner.code() }), 200);
  });

  test('wrong codes leave the backup codes to an unknown browser, and wrong backup codes leave the codes', async () => {
    const owner = await newUser('locked-one');
    assert.equal(await guesses(owner, { code: '000000' }), 10);
    assert.equal(await statusOf(await begin(owner), { backup_code: owner.codes[0] }), 200);
    const other = await newUser('locked-other');
    assert.equal(await guesses(other, { backup_code: 'wrong-codes' }), 10);
    assert.equal(await statusOf(await begin(other), { code: other.code() }), 200);
  });

  test('a known browser gets 429 after 10 codes of its own', async () => {
    const owner = await newUser('clumsy');
    for (let i = 0; i < 10; i += 1) {
      if (i % 5 === 0) await begin(owner, owner.page);
      assert.equal(await statusOf(owner.page, { code: '000000' }), 401);
    }
    await begin(owner, owner.page);
    assert.equal(await statusOf(owner.page, { code: owner.code() }), 429);
    assert.equal(await statusOf(await begin(owner), { code: owner.code() }), 200);
  });

  test('a browser becomes known with the code, not with the password', async () => {
    const owner = await newUser('half-way');
    const page = await begin(owner);
    assert.doesNotMatch(page.cookie, /embedgate\.device/);
    assert.equal(await statusOf(page, { code: owner.code() }), 200);
    assert.match(page.cookie, /embedgate\.device/);
  });

  test('a browser that was known before the second factor was turned on is unknown for codes', async () => {
    const user = { email: 'before@example.com', password: 'password of before' };
    await app.services.users.create(user);
    const early = await browser().signIn(user);
    const page = await browser().signIn(user);
    const setup = await page.ask<{ uri: string }>(200, 'POST', '/v1/me/totp', { password: user.password });
    await page.ask(204, 'POST', '/v1/me/totp/confirm', { code: totpCode(setup.uri, Date.now()) });
    assert.equal(await guesses(user, { code: '000000' }), 10);
    await early.ask(204, 'POST', '/v1/auth/sign-out');
    assert.equal(await statusOf(await begin(user, early), { code: '000000' }), 429);
  });

  test('a code is checked and counted for the user of the first step, whatever other cookies the browser sends', async () => {
    const [mine, victim] = [await newUser('mixing'), await newUser('mixed')];
    const firstStep = async ({ email, password }: typeof mine) => (await begin({ email, password })).cookie;
    const [own, other] = [await firstStep(mine), await firstStep(victim)];
    const answer = (cookie: string) => send(browser(), step, { code: victim.code() }, { cookie });
    const { message } = (await (await answer(`${other}0`)).json()) as { message: string };
    assert.equal(message, 'Sign in with the password first');
    assert.equal((await answer(`${own}; ${other}`)).status, 401);
    // Another session of the browser makes no difference.
    const session = mine.page.cookie.split('; ').find((pair) => pair.includes('session_token'));
    const response = await answer(`${session}; ${other}`);
    const signedIn = response.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(';')));
    const me = await fetch(`${app.address}/v1/me`, { headers: { cookie: signedIn.join('; ') } });
    assert.equal(((await me.json()) as { email: string }).email, victim.email);

    await guesses(victim, { code: '000000' });
    const again = await firstStep(victim);
    assert.equal((await answer(`${own}; ${again}`)).status, 401);
    assert.equal((await answer(`${again}; ${own}`)).status, 429);
  });

  test('a trusted browser needs no code for 30 days, until the password changes or the user is disabled', async () => {
    const { email, password, page, codes } = await newUser('trusting');
    const login = { email, password };
    const { userId } = await app.services.users.byEmail(email);
    const trusted = async () => {
      const other = await begin(login);
      const response = await send(other, step, { backup_code: codes.pop(), trust_device: true });
      assert.match(response.headers.getSetCookie().join(), /embedgate\.trust_device=[^;]+; Max-Age=2592000;/);
      await other.ask(204, 'POST', '/v1/auth/sign-out');
      await (await other.signIn(login)).ask(200, 'GET', '/v1/me');
      return other;
    };
    const ends: (() => Promise<unknown>)[] = [
      () => {
        login.password = 'a changed password';
        const body = { current_password: password, new_password: login.password };
        return page.ask(204, 'POST', '/v1/me/password', body);
      },
      async () => {
        login.password = (await app.services.users.resetPassword(email, { removeTotp: false })).password;
      },
      async () => {
        await app.services.userChanges.change(userId, { isDisabled: true });
        await app.services.userChanges.change(userId, { isDisabled: false });
      },
    ];
    for (const end of ends) {
      const other = await trusted();
      await end();
      await begin(login, other);
    }
  });

  test('after five wrong codes, a 401 says to sign in with the password again, and further codes do not count', async () => {
    const owner = await newUser('five');
    const page = await begin({ email: owner.email, password: owner.password });
    for (let i = 0; i < 5; i += 1) assert.equal(await statusOf(page, { code: '000000' }), 401);
    const { cookie } = page;
    const { message } = await page.ask<{ message: string }>(401, 'POST', step, { code: '000000' });
    assert.equal(message, 'Too many wrong codes. Sign in with the password again.');
    for (let i = 0; i < 5; i += 1) {
      assert.equal((await send(browser(), step, { code: '000000' }, { cookie })).status, 401);
    }
    assert.equal(await statusOf(await begin(owner), { code: owner.code() }), 200);
  });

  test('confirmation gets 429 after 10 codes, which wrong passwords and sign-ins do not use up', async () => {
    const user = { email: 'confirming@example.com', password: 'password of confirming' };
    await app.services.users.create(user);
    const page = await browser().signIn(user);
    const { password } = user;
    const setup = await page.ask<{ uri: string }>(200, 'POST', '/v1/me/totp', { password });
    for (let i = 0; i < 9; i += 1) await page.ask(400, 'POST', '/v1/me/totp', { password: 'a wrong one' });
    await page.ask(429, 'POST', '/v1/me/totp/remove', { password });
    for (let i = 0; i < 9; i += 1) await page.ask(401, 'POST', '/v1/me/totp/confirm', { code: '000000' });
    const code = totpCode(setup.uri, Date.now());
    await page.ask(204, 'POST', '/v1/me/totp/confirm', { code });
    await page.ask(429, 'POST', '/v1/me/totp/confirm', { code });
  });
});
