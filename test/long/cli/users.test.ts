import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../helpers/browser.ts';
import { embedgate, embedgateJson } from '../../helpers/embedgate.ts';
import { done, refused, wrongUsage } from '../../helpers/outcomes.ts';
import { statusWith } from '../../helpers/requests.ts';
import { secondConnection } from '../../helpers/second-connection.ts';
import { type RunningService, startService } from '../../helpers/service.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Created = { user_id: string; email: string; name: string; is_admin: boolean; password: string };

/** Runs the commands in the environment of a service, and signs in to it. */
const usersOf = ({ address, environment }: RunningService) => ({
  run: (...args: string[]) => embedgate(['users', ...args], environment),
  json: <R>(...args: string[]) => embedgateJson<R>(['users', ...args], environment),
  signIn: (user: { email: string; password: string }) => new Browser(address).signIn(user),
});

describe('the users commands', async () => {
  const service = untilEnd(await startService());
  const { run, json, signIn } = usersOf(service);

  it('the first start shows once how its administrator signs in', async () => {
    const page = await signIn(service.administrator);
    const me = await page.ask<{ is_admin: boolean }>(200, 'GET', '/v1/me');
    assert.deepEqual([service.administrator.email, me.is_admin], ['admin@embedgate.internal', true]);
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

type User = { user_id: string; email: string; is_admin: boolean; disabled: boolean; password: string };

describe('the users commands beside a running service', async () => {
  const service = untilEnd(await startService());
  const { run, json, signIn } = usersOf(service);
  const newUser = (email: string) => json<User>('create', '--email', email);

  it('disable ends the sessions and keeps the user out until enable', async () => {
    const email = 'ada@example.com';
    const user = await newUser(email);
    const page = await signIn(user);
    assert.equal(done(await run('disable', '--email', 'Ada@example.com')), `Disabled ${email}.\n`);
    await page.ask(401, 'GET', '/v1/me');
    await assert.rejects(signIn(user), /answered 403/);
    assert.match(done(await run('list')), /ada@example\.com +ada +no +no +yes +/);
    const enabled = await json<User>('enable', '--email', email);
    assert.deepEqual([enabled.user_id, enabled.disabled], [user.user_id, false]);
    await signIn(user);
  });

  it('promote and demote take effect with the next request of a session', async () => {
    const user = await newUser('grace@example.com');
    const page = await signIn(user);
    await page.ask(403, 'GET', '/v1/users');
    assert.equal((await json<User>('promote', '--email', user.email)).is_admin, true);
    await page.ask(200, 'GET', '/v1/users');
    assert.equal(done(await run('demote', '--email', user.email)), `Demoted ${user.email}.\n`);
    await page.ask(403, 'GET', '/v1/users');
    const last = 'admin@embedgate.internal';
    for (const command of ['demote', 'disable', 'delete']) {
      assert.match(refused(await run(command, '--email', last)), /only administrator who can sign in/);
    }
  });

  it('delete refuses the last owner, and revokes keys on request', async () => {
    const user = await newUser('leaver@example.com');
    const organization = await embedgateJson<{ org_id: string }>(
      ['orgs', 'create', '--name', 'Acme'],
      service.environment,
    );
    const { key } = await embedgateJson<{ key: string }>(
      ['keys', 'create', '--org-id', organization.org_id, '--user-id', user.user_id, '--name', 'theirs'],
      service.environment,
    );
    assert.equal(await statusWith(service.address, key), 200);
    const page = await signIn(user);
    const deleted = await json<User>('delete', '--email', user.email, '--revoke-keys');
    assert.equal(deleted.user_id, user.user_id);
    await page.ask(401, 'GET', '/v1/me');
    assert.equal(await statusWith(service.address, key), 401);
    assert.match(refused(await run('delete', '--email', user.email)), /No user leaver@example\.com/);
    await json('create', '--email', 'second@example.com', '--admin');
    const owner = 'admin@embedgate.internal';
    assert.match(refused(await run('delete', '--email', owner)), /last owner of “Default”/);
    assert.match(wrongUsage(await run('delete')), /--email/);
  });

  it('sessions lists where a user is signed in, and sign-out ends the sessions', async () => {
    const user = await newUser('busy@example.com');
    const { email } = user;
    const none = await run('sessions', '--email', email);
    assert.deepEqual([done(none), none.stderr], ['', 'No sessions.\n']);
    const pages = [await signIn(user), await signIn(user)];
    const { data } = await json<{ data: { address: string; is_current: boolean }[] }>(
      ...['sessions', '--email', email],
    );
    assert.deepEqual(
      data.map(({ address, is_current }) => [address, is_current]),
      [
        ['127.0.0.1', false],
        ['127.0.0.1', false],
      ],
    );
    assert.match(
      done(await run('sessions', '--email', email)),
      /^SESSION ID +SIGNED IN +RENEWED +EXPIRES +ADDRESS +USER AGENT\n\S+ +\S+Z +\S+Z +\S+Z +127\.0\.0\.1 +node\n/,
    );
    assert.equal(done(await run('sign-out', '--email', email)), `Ended sessions of ${email}: 2.\n`);
    for (const page of pages) await page.ask(401, 'GET', '/v1/me');
    const again = await json<{ ended: number }>('sign-out', '--email', email);
    assert.equal(again.ended, 0);
    assert.match(refused(await run('sign-out', '--email', 'none@example.com')), /No user/);
  });
});
