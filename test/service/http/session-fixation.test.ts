import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';

describe('what a request may not decide', () => {
  let app: ListeningApp;
  let root: Browser;
  before(async () => {
    app = await listeningApp();
    root = await new Browser(app.address).signIn(app.administrator);
  });
  after(() => app[Symbol.asyncDispose]());

  test('a sign-in begins a new session, whatever cookie the browser sends', async () => {
    const made = await root.ask<{ email: string; password: string }>(201, 'POST', '/v1/users', {
      email: 'victim@example.com',
    });
    const before = root.cookie;
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
    assert.equal(((await signedIn.json()) as { email: string }).email, 'victim@example.com');
  });

  test('users can change only the name of their own account', async () => {
    const made = await root.ask<{ email: string; password: string }>(201, 'POST', '/v1/users', {
      email: 'member@example.com',
    });
    const page = await new Browser(app.address).signIn(made);
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
