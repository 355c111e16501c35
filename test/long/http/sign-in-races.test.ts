import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { allRows } from '../../../src/lib/page.ts';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';

// Checking a password takes 60 ms. The password may have been replaced by the time the session begins.

/** `ROUNDS=10 npm run test:long -- sign-in-races` meets more orders of events. */
const rounds = Number(process.env.ROUNDS ?? 2);

describe('sign-ins while the password changes', () => {
  let app: ListeningApp;
  let root: Browser;
  let count = 0;
  before(async () => {
    // Requests from one address take turns, but these have to overlap.
    app = await listeningApp({
      bounds: { maxRequestsAtWork: 64 },
      environment: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    root = await new Browser(app.address).signIn(app.administrator);
  });
  after(() => app[Symbol.asyncDispose]());

  const newUser = async () => {
    const email = `user-${count++}@example.com`;
    const made = await root.ask<{ user_id: string; password: string }>(201, 'POST', '/v1/users', { email });
    return { email, userId: made.user_id, password: made.password };
  };
  const signIn = (email: string, password: string) =>
    new Browser(app.address).send(
      'POST',
      '/v1/auth/sign-in',
      { email, password },
      { 'x-forwarded-for': `10.0.${count % 256}.${count++ >> 8}` },
    );

  const changes: Record<
    string,
    (user: Awaited<ReturnType<typeof newUser>>) => Promise<() => Promise<unknown>>
  > = {
    async 'a link to choose a new password'({ userId }) {
      const { token } = await app.services.passwordResets.create(userId, { mailed: false });
      return () =>
        new Browser(app.address).ask(204, 'POST', '/v1/auth/password/reset', {
          token,
          new_password: 'a newer password',
        });
    },
    async 'its owner'({ email, password }) {
      const page = await new Browser(app.address).signIn({ email, password });
      return () =>
        page.ask(204, 'POST', '/v1/me/password', {
          current_password: password,
          new_password: 'a newer password',
        });
    },
  };

  test('of two concurrent password changes, only one succeeds, and it ends the other’s session', async () => {
    for (let round = 0; round < rounds; round++) {
      const { email, password } = await newUser();
      const pages = await Promise.all([1, 2].map(() => new Browser(app.address).signIn({ email, password })));
      const statuses = await Promise.all(
        pages.map(async (page, i) => {
          await setTimeout(i * 20 * round);
          const change = { current_password: password, new_password: `a newer password ${i}` };
          return (await page.send('POST', '/v1/me/password', change)).status;
        }),
      );
      assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses));
      const [made, refused] = statuses[0] === 204 ? [0, 1] : [1, 0];
      await pages[made]!.ask(200, 'GET', '/v1/me');
      await pages[refused]!.ask(401, 'GET', '/v1/me');
      assert.equal((await signIn(email, `a newer password ${made}`)).status, 200);
      assert.equal((await signIn(email, `a newer password ${refused}`)).status, 401);
    }
  });

  test('a session that begins by turning the second factor off does not outlive a reset of the password', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = await newUser();
      const pages = await Promise.all([1, 2, 3].map(() => new Browser(app.address).signIn(user)));
      const { token } = await app.services.passwordResets.create(user.userId, { mailed: false });
      const removals = pages.map((page) =>
        page.send('POST', '/v1/me/totp/remove', { password: user.password }),
      );
      const body = { token, new_password: 'a newer password' };
      await Promise.all([
        ...removals,
        new Browser(app.address).ask(204, 'POST', '/v1/auth/password/reset', body),
      ]);
      for (const page of pages) await page.ask(401, 'GET', '/v1/me');
      assert.deepEqual(await allRows((page) => app.services.sessions.list(user.userId, page)), []);
    }
  });

  for (const [by, prepare] of Object.entries(changes)) {
    test(`no session with the old password outlives a change by ${by}`, async () => {
      for (let round = 0; round < rounds; round++) {
        const user = await newUser();
        const change = await prepare(user);
        const before = Array.from({ length: 4 }, () => signIn(user.email, user.password));
        const changed = change();
        const beside = Array.from({ length: 4 }, () => signIn(user.email, user.password));
        const responses = await Promise.all([...before, ...beside]);
        await changed;
        assert.ok(responses.every(({ status }) => [200, 401].includes(status)));
        const left = await allRows((page) => app.services.sessions.list(user.userId, page));
        // The page that changed the password has a session.
        assert.equal(left.length, by === 'its owner' ? 1 : 0, `round ${round}`);
        assert.equal((await signIn(user.email, 'a newer password')).status, 200);
      }
    });
  }
});
