import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { untilEnd } from '../../helpers/until-end.ts';

describe('with PASSWORD_SIGN_IN=off', async () => {
  const publicUrl = 'http://embedgate.test';
  const clock = stoppedClock();
  const environment = {
    PUBLIC_URL: publicUrl,
    PASSWORD_SIGN_IN: 'off',
    SIGN_UP: 'open',
    SMTP_URL: 'smtp://127.0.0.1:9',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'embedgate',
    OIDC_CLIENT_SECRET: 'secret',
  };
  const app = untilEnd(await listeningApp({ clock, environment }));
  const browser = () => new Browser(app.address, publicUrl);
  const { users, passwordResets, invitations } = app.services;

  test('a password that the command line set signs in for an hour', async () => {
    const { user, password } = await users.resetPassword(app.administrator.email, { removeTotp: false });
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
    const { user, password } = await users.resetPassword(app.administrator.email, { removeTotp: false });
    const page = await browser().signIn({ email: user.email, password });
    const email = 'new@example.com';
    const { token } = await passwordResets.create(user.userId, { mailed: false });
    const offer = { orgId: app.orgId, email, invitedBy: user.userId, mailed: false } as const;
    const invitation = await invitations.create({ ...offer, role: 'viewer' });
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
    assert.equal(await users.find(email), undefined);
  });

  test('the options of the sign-in page say so', async () => {
    const options = await browser().ask<Record<string, unknown>>(200, 'GET', '/v1/auth/options');
    assert.equal(options.password_sign_in, 'off');
  });
});
