import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { type OidcPerson, startOidcProvider } from '../../helpers/oidc-provider.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { totpCode } from '../../helpers/totp.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('signing in with a provider', async () => {
  const publicUrl = 'http://embedgate.test';
  const provider = untilEnd(await startOidcProvider());
  const app = untilEnd(
    await listeningApp({
      environment: {
        PUBLIC_URL: publicUrl,
        ...provider.environment,
        OIDC_NAME: 'Acme login',
        GITHUB_CLIENT_ID: 'github-client',
        GITHUB_CLIENT_SECRET: 'secret',
      },
    }),
  );
  const browser = () => new Browser(app.address, publicUrl);
  const begin = (page: Browser, name: string, return_to?: string) =>
    page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', { provider: name, return_to });

  /** Where the browser ends up. */
  const comeBy = (page: Browser, email: string, return_to?: string): Promise<string> =>
    comeAs(page, { sub: email, email, email_verified: true, name: 'By provider' }, return_to);
  const comeAs = async (page: Browser, person: OidcPerson, return_to?: string): Promise<string> => {
    provider.person = person;
    const { url } = await begin(page, 'oidc', return_to);
    const response = await page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    assert.equal(response.status, 302);
    return response.headers.get('location') ?? '';
  };

  test('the page offers the configured providers, and each link leads to its provider', async () => {
    const { providers } = await browser().ask<{ providers: unknown }>(200, 'GET', '/v1/auth/options');
    assert.deepEqual(providers, [
      { id: 'github', name: 'GitHub' },
      { id: 'oidc', name: 'Acme login' },
    ]);
    const github = new URL((await begin(browser(), 'github')).url);
    assert.equal(github.origin, 'https://github.com');
    assert.equal(github.searchParams.get('redirect_uri'), `${publicUrl}/auth/callback/github`);
    const oidc = new URL((await begin(browser(), 'oidc')).url);
    assert.equal(oidc.origin, provider.issuer);
    await browser().ask(400, 'POST', '/v1/auth/sign-in/provider', { provider: 'google' });
    await browser().ask(400, 'GET', '/auth/callback/other');
  });

  test('an invited person creates an account with a provider, returns to the page, and later signs in to the same account', async () => {
    const { invitations } = app.services;
    const email = 'invited@example.com';
    await invitations.create({ orgId: app.orgId, email, role: 'viewer', invitedBy: 'user_x', mailed: false });
    const page = browser();
    assert.match(await comeBy(page, email, '/invite'), /\/invite$/);
    const me = await page.ask<{ email: string; user_id: string; is_admin: boolean }>(200, 'GET', '/v1/me');
    assert.deepEqual([me.email, me.is_admin], [email, false]);
    const again = browser();
    await comeBy(again, email);
    assert.equal((await again.ask<{ user_id: string }>(200, 'GET', '/v1/me')).user_id, me.user_id);
  });

  test('a stranger gets no account, and the sign-in page says so', async () => {
    const page = browser();
    assert.match(await comeBy(page, 'stranger@example.com'), /\/login\?error=/);
    await page.ask(401, 'GET', '/v1/me');
    assert.equal(await app.services.users.find('stranger@example.com'), undefined);
  });

  const signIn = (page: Browser, email: string, password: string) =>
    page.send('POST', '/v1/auth/sign-in', { email, password });

  test('an account with an unverified address loses everything a stranger may have set up before it is linked', async () => {
    const { users, passwordResets } = app.services;
    const email = 'squatted@example.com';
    const { user, password } = await users.create({ email });
    const stranger = await browser().signIn({ email, password });
    const { token } = await passwordResets.create(user.userId, { mailed: false });
    const setup = await stranger.ask<{ uri: string }>(200, 'POST', '/v1/me/totp', { password });
    await stranger.ask(204, 'POST', '/v1/me/totp/confirm', { code: totpCode(setup.uri, Date.now()) });

    const owner = browser();
    assert.equal(await comeBy(owner, email), '/organizations');
    const me = await owner.ask<Record<string, unknown>>(200, 'GET', '/v1/me');
    assert.deepEqual([me.user_id, me.uses_totp], [user.userId, false]);
    await stranger.ask(401, 'GET', '/v1/me');
    assert.equal((await signIn(browser(), email, password)).status, 401);
    await browser().ask(400, 'POST', '/v1/auth/password/reset', { token, new_password: 'a new password' });
  });

  test('an account with a verified address keeps its password beside the provider', async () => {
    const email = 'proved@example.com';
    const { password } = await app.services.users.create({ email, emailVerified: true });
    const before = await browser().signIn({ email, password });
    await comeBy(browser(), email);
    await before.ask(200, 'GET', '/v1/me');
    assert.equal((await signIn(browser(), email, password)).status, 200);
  });

  test('an administrator with an unverified address is not handed to the person a provider names', async () => {
    const email = 'root@example.com';
    const { users } = app.services;
    const { password } = await users.create({ email, isAdmin: true });
    const page = browser();
    assert.match(await comeBy(page, email), /\/login\?error=account_not_linked/);
    await page.ask(401, 'GET', '/v1/me');
    assert.equal((await signIn(browser(), email, password)).status, 200);
    // As the command line does with --proved.
    await users.resetPassword(email, { removeTotp: false, provesAddress: true });
    assert.equal(await comeBy(page, email), '/organizations');
  });

  test('an address that the provider has not verified creates no account and is linked to none', async () => {
    const { invitations, users } = app.services;
    for (const [i, email_verified] of [false, undefined, 'false', 1].entries()) {
      const [newcomer, known] = [`unverified${i}@example.com`, `known${i}@example.com`];
      await invitations.create({
        orgId: app.orgId,
        email: newcomer,
        role: 'viewer',
        mailed: false,
        invitedBy: app.administrator.userId,
      });
      await users.create({ email: known, emailVerified: true });
      for (const email of [newcomer, known]) {
        const page = browser();
        const person = { sub: `sub ${email}`, email, email_verified, name: 'x' };
        assert.match(await comeAs(page, person), /\/login\?error=/);
        await page.ask(401, 'GET', '/v1/me');
      }
      assert.equal(await users.find(newcomer), undefined);
    }
  });

  test('a sign-in that is begun once succeeds once, also if the browser returns four times at once', async () => {
    await app.services.users.create({ email: 'once@example.com', emailVerified: true });
    await comeBy(browser(), 'once@example.com');
    const page = browser();
    const { url } = await begin(page, 'oidc');
    const path = `/auth/callback/oidc?${provider.consent(url)}`;
    const responses = await Promise.all([1, 2, 3, 4].map(() => page.send('GET', path)));
    const locations = responses.map(({ headers }) => headers.get('location')).sort();
    assert.deepEqual(
      locations.map((location) => location?.split('&')[0]),
      [...new Array(3).fill('/login?error=state_mismatch'), '/organizations'],
    );
  });

  test('a name from a provider is cleaned and shortened', async () => {
    const { invitations } = app.services;
    const email = 'named@example.com';
    await invitations.create({
      orgId: app.orgId,
      email,
      role: 'viewer',
      mailed: false,
      invitedBy: app.administrator.userId,
    });
    const page = browser();
    const name = `  Ada\u001b[2J\nLove\u202elace ${'x'.repeat(10_000)}`;
    await comeAs(page, { sub: email, email, email_verified: true, name });
    const me = await page.ask<{ name: string }>(200, 'GET', '/v1/me');
    assert.equal(me.name, `Ada [2J Love lace ${'x'.repeat(200)}`.slice(0, 200));
  });

  test('a reset of an account with an unverified address removes its links to providers', async () => {
    const email = 'linked@example.com';
    const { user } = await app.services.users.create({ email, emailVerified: true });
    await comeBy(browser(), email);
    // As an older version left accounts that a provider had not verified.
    using database = secondConnection(app.dataDir);
    database.prepare('UPDATE users SET email_verified = 0 WHERE id = ?').run(user.userId);
    const { token } = await app.services.passwordResets.create(user.userId, { mailed: false });
    await browser().ask(204, 'POST', '/v1/auth/password/reset', { token, new_password: 'a new password' });
    const stranger = browser();
    const person = { sub: email, email, email_verified: false, name: 'x' };
    assert.match(await comeAs(stranger, person), /\/login\?error=/);
    await stranger.ask(401, 'GET', '/v1/me');
    assert.equal((await signIn(browser(), email, 'a new password')).status, 200);
  });

  test('another browser’s response from the provider gets 403, and a return address elsewhere gets 400', async () => {
    const { url } = await begin(browser(), 'oidc');
    provider.person = { sub: 'x', email: 'invited@example.com', email_verified: true, name: 'x' };
    const other = browser();
    const response = await other.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    assert.match(response.headers.get('location') ?? '', /^\/login\?error=state_mismatch/);
    await other.ask(401, 'GET', '/v1/me');
    for (const return_to of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      await browser().ask(400, 'POST', '/v1/auth/sign-in/provider', { provider: 'oidc', return_to });
    }
  });
});

describe('a provider that accepts connections but does not respond', () => {
  test('stops nobody from signing in with a password, and is used as soon as it responds', async () => {
    const publicUrl = 'http://embedgate.test';
    await using provider = await startOidcProvider();
    provider.silence(true);
    await using app = await listeningApp({
      environment: { PUBLIC_URL: publicUrl, ...provider.environment },
    });
    const page = new Browser(app.address, publicUrl);
    const begin = (status: number) =>
      page.ask<{ url: string }>(status, 'POST', '/v1/auth/sign-in/provider', { provider: 'oidc' });
    // The first sign-in loads the library, which can take longer than a provider may.
    await Promise.all([begin(503), page.signIn(app.administrator)]);
    const order: string[] = [];
    const byProvider = begin(503).then(() => order.push('by provider'));
    await page.signIn(app.administrator);
    await page.ask(200, 'GET', '/v1/me');
    order.push('by password');
    await byProvider;
    assert.deepEqual(order, ['by password', 'by provider']);

    provider.silence(false);
    const { url } = await begin(200);
    provider.silence(true);
    const callback = page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    assert.equal((await callback).status, 503);
  });
});
