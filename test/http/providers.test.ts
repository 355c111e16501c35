import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../helpers/app.ts';
import { Browser } from '../helpers/browser.ts';
import { type OidcProvider, startOidcProvider } from '../helpers/oidc-provider.ts';

describe('signing in with a provider', () => {
  let app: ListeningApp;
  let provider: OidcProvider;
  const publicUrl = 'http://embedgate.test';
  before(async () => {
    provider = await startOidcProvider();
    app = await listeningApp({
      environment: {
        PUBLIC_URL: publicUrl,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'embedgate',
        OIDC_CLIENT_SECRET: 'secret',
        OIDC_NAME: 'Acme login',
        GITHUB_CLIENT_ID: 'github-client',
        GITHUB_CLIENT_SECRET: 'secret',
      },
    });
  });
  after(async () => {
    await app[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const browser = () => new Browser(app.address, publicUrl);
  const begin = (page: Browser, name: string, return_to?: string) =>
    page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', { provider: name, return_to });

  /** Where the browser ends up. */
  const comeBy = async (page: Browser, email: string, return_to?: string): Promise<string> => {
    provider.person = { sub: email, email, email_verified: true, name: 'By provider' };
    const { url } = await begin(page, 'oidc', return_to);
    const response = await page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    assert.equal(response.status, 302);
    return response.headers.get('location') ?? '';
  };

  test('the page offers what is set up, and each leads to its provider', async () => {
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

  test('who is invited makes an account by it, comes back to the page, and later signs in to the same', async () => {
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

  test('a stranger makes none, and is told on the sign-in page', async () => {
    const page = browser();
    assert.match(await comeBy(page, 'stranger@example.com'), /\/login\?error=/);
    await page.ask(401, 'GET', '/v1/me');
    assert.equal(await app.services.accounts.find('stranger@example.com'), undefined);
  });

  test('an account whose address nobody has proved is not handed to whoever a provider says has it', async () => {
    const { user } = await app.services.accounts.create({ email: 'unproved@example.com' });
    const page = browser();
    assert.match(await comeBy(page, user.email), /\/login\?error=/);
    await page.ask(401, 'GET', '/v1/me');
  });

  test('403 and 400: another browser’s answer of the provider, and a page elsewhere to come back to', async () => {
    const { url } = await begin(browser(), 'oidc');
    provider.person = { sub: 'x', email: 'invited@example.com', email_verified: true, name: 'x' };
    const other = browser();
    const response = await other.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    assert.match(response.headers.get('location') ?? '', /error=/);
    await other.ask(401, 'GET', '/v1/me');
    for (const return_to of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      await browser().ask(400, 'POST', '/v1/auth/sign-in/provider', { provider: 'oidc', return_to });
    }
  });
});
