import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { type RunningService, startService } from '../../helpers/service.ts';
import { done, refused, wrongUsage } from './outcomes.ts';

type Created = { user_id: string; email: string; name: string; is_admin: boolean; password: string };

describe('the users commands', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service[Symbol.asyncDispose]());

  const run = (...args: string[]) => embedgate(['users', ...args], service.environment);
  const json = <R>(...args: string[]) => embedgateJson<R>(['users', ...args], service.environment);
  const signIn = (user: { email: string; password: string }) => new Browser(service.address).signIn(user);

  it('the first start shows once how its administrator signs in', async () => {
    const [, email = '', password = ''] = /Sign in +(\S+), password (\S+)/.exec(service.stdout()) ?? [];
    const page = await signIn({ email, password });
    const me = await page.ask<{ is_admin: boolean }>(200, 'GET', '/v1/me');
    assert.deepEqual([email, me.is_admin], ['admin@embedgate.internal', true]);
  });

  it('create makes a user who can sign in to the running server', async () => {
    const created = await json<Created>('create', '--email', 'Ada@Example.com', '--name', 'Ada', '--admin');
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

  it('list shows all users and no secret', async () => {
    const { data } = await json<{ data: Created[] }>('list');
    assert.deepEqual(
      data.map(({ email }) => email),
      ['admin@embedgate.internal', 'ada@example.com', 'plain@example.com'],
    );
    assert.ok(data.every((user) => !('password' in user)));
    assert.match(done(await run('list')), /^USER ID +EMAIL +NAME +ADMINISTRATOR +TOTP +DISABLED +CREATED\n/);
  });

  it('list prints no escape sequence of a name that an older version stored, and cuts long names', async () => {
    const user = await json<Created>('create', '--email', 'old@example.com');
    using database = secondConnection(service.dataDir);
    const name = `\u001b[2J\u009b2J\u202e${'x'.repeat(100_000)}`;
    database.prepare('UPDATE users SET name = ? WHERE id = ?').run(name, user.user_id);
    const listed = done(await run('list'));
    assert.match(listed, /old@example\.com +\uFFFD\[2J\uFFFD2J\uFFFDx{10,200}… +no/);
    const printed = done(await run('list', '--json'));
    assert.doesNotMatch(printed, /[^\P{Cc}\n]/u);
    const { data } = JSON.parse(printed) as { data: Created[] };
    assert.equal(data.at(-1)?.name, name);
    database.prepare("UPDATE users SET name = 'old' WHERE id = ?").run(user.user_id);
  });

  it('reset-password sets a new password and ends the sessions', async () => {
    const user = await json<Created>('create', '--email', 'lost@example.com');
    const page = await signIn(user);
    const reset = await json<Created>('reset-password', '--email', 'lost@example.com', '--remove-totp');
    await page.ask(401, 'GET', '/v1/me');
    await assert.rejects(signIn(user));
    await signIn(reset);
    assert.match(refused(await run('reset-password', '--email', 'none@example.com')), /No user/);
  });
});
