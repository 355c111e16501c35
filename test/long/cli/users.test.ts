import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { embedgateJson, runCommand } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Created = { user_id: string; email: string; name: string; is_admin: boolean; password: string };

describe('the users commands', async () => {
  const app = untilEnd(await listeningApp());
  const environment = { DATA_DIR: app.dataDir };
  const run = (...args: string[]) => runCommand(['users', ...args], environment);
  const json = (...args: string[]) => embedgateJson<Created>(['users', ...args], environment);
  const signIn = (user: { email: string; password: string }) => new Browser(app.address).signIn(user);

  it('a password says where it works for an hour if people sign in with the provider only', async () => {
    const off = {
      ...environment,
      PASSWORD_SIGN_IN: 'off',
      PUBLIC_URL: 'https://tools.example.com/embedgate',
      GITHUB_CLIENT_ID: 'client',
      GITHUB_CLIENT_SECRET: 'secret',
    };
    const { stderr } = await runCommand(['users', 'create', '--email', 'off@example.com', '--proved'], off);
    assert.match(
      stderr,
      /works for an hour, at https:\/\/tools\.example\.com\/embedgate\/login\?password=yes$/m,
    );
  });

  it('create makes a user who can sign in to the running server', async () => {
    const created = await json('create', '--email', 'Ada@Example.com', '--name', 'Ada', '--admin');
    assert.deepEqual([created.email, created.name, created.is_admin], ['ada@example.com', 'Ada', true]);
    await signIn(created);
    const text = await run('create', '--email', 'plain@example.com');
    assert.match(
      done(text),
      /^Email +plain@example\.com\nName +plain\nAdministrator +no\nPassword +\S{23}$/m,
    );
    assert.equal(text.stderr, 'This password is shown only once: save it now.\n');
    assert.match(
      refused(await run('create', '--email', 'ada@example.com')),
      /A user with the email address ada@example.com already exists/,
    );
    assert.match(refused(await run('create', '--email', 'ada')), /must be an email address/);
    assert.match(wrongUsage(await run('create')), /--email/);
  });

  it('reset-password sets a new password and ends the sessions', async () => {
    const user = await json('create', '--email', 'lost@example.com');
    const page = await signIn(user);
    const reset = await json('reset-password', '--email', 'lost@example.com', '--remove-totp');
    await page.ask(401, 'GET', '/v1/me');
    await assert.rejects(signIn(user));
    await signIn(reset);
    assert.match(refused(await run('reset-password', '--email', 'none@example.com')), /No user/);
  });
});
