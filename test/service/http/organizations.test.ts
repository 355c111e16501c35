import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { requestEmbeddings, statusWith } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Organization = {
  org_id: string;
  name: string;
  tier: string;
  quota: { limit: number | null; window: string };
};
type Invited = { url: string | null; mailed: boolean };
type CreatedKey = { key_id: string; key: string; user_id: string; expires_at: string };

const publicUrl = 'http://embedgate.test';
const clock = stoppedClock();
const mail = untilEnd(await startMailServer());
const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl };
const app = untilEnd(await listeningApp({ clock, environment }));
const browser = () => new Browser(app.address, publicUrl);
const admin = await browser().signIn(app.administrator);

describe('organizations, keys and invitations', () => {
  const create = (body: object) => admin.ask<Organization>(201, 'POST', '/v1/organizations', body);

  test('an administrator creates, renames, changes tiers and deletes, and keys follow at once', async () => {
    const { org_id, ...made } = await create({ name: ' Acme ', tier: 'pro' });
    assert.deepEqual([made.name, made.tier, made.quota.limit], ['Acme', 'pro', 100_000]);
    const path = `/v1/organizations/${org_id}`;
    const { key } = await admin.ask<CreatedKey>(201, 'POST', `${path}/keys`, { name: 'k' });
    assert.equal((await admin.ask<Organization>(200, 'PATCH', path, { name: 'Ämce' })).name, 'Ämce');
    const limited = { tier: 'enterprise', limit: 1, window: 'day' };
    const { quota } = await admin.ask<Organization>(200, 'PUT', `${path}/tier`, limited);
    assert.deepEqual([quota.limit, quota.window], [1, 'day']);
    assert.equal((await requestEmbeddings(app.address, key, 'one')).status, 200);
    assert.equal((await requestEmbeddings(app.address, key, 'two')).status, 429);
    await admin.ask(200, 'PUT', `${path}/tier`, { tier: 'free' });
    assert.equal((await requestEmbeddings(app.address, key, 'two')).status, 200);
    await admin.ask(400, 'PUT', `${path}/tier`, { tier: 'pro', limit: 5 });
    await admin.ask(400, 'PUT', `${path}/tier`, { tier: 'enterprise', window: 'day' });
    await admin.ask(400, 'POST', '/v1/organizations', { name: '\u0007' });
    await admin.ask(204, 'DELETE', path);
    assert.equal(await statusWith(app.address, key), 401);
  });

  test('a key is shown once, belongs to its creator, embeds texts, and is refused once revoked', async () => {
    const { org_id } = await create({ name: 'Keys' });
    const path = `/v1/organizations/${org_id}/keys`;
    const created = await admin.ask<CreatedKey>(201, 'POST', path, { name: 'laptop', expires_in_days: 30 });
    assert.equal(created.user_id, app.administrator.userId);
    const inDays = (Date.parse(created.expires_at) - clock.now()) / 86_400_000;
    assert.ok(inDays > 29.9 && inDays < 30.1);
    assert.equal((await requestEmbeddings(app.address, created.key, 'text')).status, 200);
    const listed = JSON.stringify(await admin.ask(200, 'GET', path));
    assert.ok(!listed.includes(created.key));
    await admin.ask(200, 'POST', `${path}/${created.key_id}/revoke`);
    assert.equal(await statusWith(app.address, created.key), 401);
    await admin.ask(400, 'POST', `${path}/${created.key_id}/rotate`, {});
    await admin.ask(404, 'POST', `${path}/key_none/revoke`);
    await admin.ask(400, 'POST', path, { name: 'x', expires_in_days: 0 });
    await admin.ask(400, 'POST', path, { name: 'x', expires_in_days: '30' });
  });

  test('an invited person creates an account with the mailed link and becomes a member', async () => {
    const { org_id } = await create({ name: 'Inviting' });
    const path = `/v1/organizations/${org_id}`;
    const invitation = { email: 'Grace@example.com', role: 'member' };
    await admin.ask(201, 'POST', `${path}/invitations`, invitation);
    await eventually(() => mail.mails.length > 0);
    const [sent] = mail.mails;
    assert.deepEqual(sent?.to, ['grace@example.com']);
    assert.match(sent?.content ?? '', /Administrator invites you to the organization Inviting/);
    const [, token] = /^http:\/\/embedgate\.test\/invite#token=(\S+)$/m.exec(sent?.content ?? '') ?? [];

    const page = browser();
    const found = await page.ask<Record<string, unknown>>(200, 'POST', '/v1/invitations/find', { token });
    assert.deepEqual(
      [found.organization, found.inviter_name, found.email, found.role, found.has_account],
      ['Inviting', 'Administrator', 'grace@example.com', 'member', false],
    );
    await page.ask(401, 'POST', '/v1/invitations/accept', { token });
    await page.ask(400, 'POST', '/v1/invitations/accept', { token, name: 'Grace', password: 'short' });
    await page.ask(200, 'POST', '/v1/invitations/accept', {
      token,
      name: 'Grace',
      password: 'a long password',
    });
    const { data } = await page.ask<{ data: { org_id: string; role: string }[] }>(
      200,
      'GET',
      '/v1/organizations',
    );
    assert.deepEqual(
      data.map((one) => [one.org_id, one.role]),
      [[org_id, 'member']],
    );
    await page.ask(404, 'POST', '/v1/invitations/find', { token });
    type Listed = { email: string; role: string; last_seen_at: string | null };
    const membersOf = async () => {
      const { data } = await admin.ask<{ data: Listed[] }>(200, 'GET', `${path}/members`);
      return data.map(({ email, role, last_seen_at }) => [email, role, last_seen_at !== null]);
    };
    const administrator = ['admin@embedgate.internal', 'owner', true];
    assert.deepEqual(await membersOf(), [administrator, ['grace@example.com', 'member', true]]);
    await page.ask(204, 'POST', '/v1/auth/sign-out');
    assert.deepEqual(await membersOf(), [administrator, ['grace@example.com', 'member', false]]);
  });

  test('a name that looks like an address is not a link in a mail', async () => {
    const { org_id } = await create({ name: `https://evil.example/win now! ${'x'.repeat(150)}` });
    const me = await admin.ask<{ name: string }>(200, 'PATCH', '/v1/me', {
      name: 'Prize at www.evil.example',
    });
    const sent = mail.mails.length;
    const invitation = { email: 'lured@example.com', role: 'member' };
    await admin.ask(201, 'POST', `/v1/organizations/${org_id}/invitations`, invitation);
    await eventually(() => mail.mails.length > sent);
    const content = mail.mails.at(-1)?.content ?? '';
    assert.doesNotMatch(content, /evil\.example|https:|x{100}/);
    assert.match(content, /Prize at www evil example invites you/);
    await admin.ask(200, 'PATCH', '/v1/me', { name: 'Administrator' });
    assert.equal(me.name, 'Prize at www.evil.example');
  });

  test('a person with an account accepts only as that user, and an invitation can be withdrawn', async () => {
    const { org_id } = await create({ name: 'Second' });
    const invitations = `/v1/organizations/${org_id}/invitations`;
    const { user, password } = await app.services.users.create({ email: 'known@example.com' });
    const invite = async () => {
      const body = { email: user.email, role: 'viewer' };
      const sent = mail.mails.length;
      const made = await admin.ask<{ invitation_id: string }>(201, 'POST', invitations, body);
      await eventually(() => mail.mails.length > sent);
      const [, token] = /#token=(\S+)/.exec(mail.mails.at(-1)?.content ?? '') ?? [];
      return { ...made, token };
    };
    const back = await invite();
    await admin.ask(204, 'DELETE', `${invitations}/${back.invitation_id}`);
    const { token } = await invite();
    await admin.ask(404, 'POST', '/v1/invitations/accept', { token: back.token });
    await admin.ask(403, 'POST', '/v1/invitations/accept', { token });
    // Having the link is not enough to take over an existing account.
    const thief = { token, name: 'Thief', password: 'a long password' };
    await browser().ask(400, 'POST', '/v1/invitations/accept', thief);
    const page = await browser().signIn({ email: user.email, password });
    await page.ask(200, 'POST', '/v1/invitations/accept', { token });
    const { role } = await page.ask<{ role: string }>(200, 'GET', `/v1/organizations/${org_id}/access`);
    assert.equal(role, 'viewer');
  });
});

describe('invitations by mail', () => {
  const path = `/v1/organizations/${app.orgId}/invitations`;
  const guest = 'guest@example.com';
  const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));

  test('get 503 and are not created if the mail server refuses the mail', async () => {
    mail.refuse(true);
    await admin.ask(503, 'POST', path, { email: guest, role: 'member' });
    assert.deepEqual((await admin.ask<{ data: unknown[] }>(200, 'GET', path)).data, []);
    mail.refuse(false);
  });

  test('get 201 without the link: neither that response nor the list shows the inviter what was mailed', async () => {
    const invited = await admin.ask<Invited>(201, 'POST', path, { email: guest, role: 'member' });
    assert.deepEqual([invited.url, invited.mailed], [null, true]);
    await eventually(() => mailsTo(guest).length === 1);
    const [, token] = /#token=(\S+)/.exec(mailsTo(guest)[0]?.content ?? '') ?? [];
    assert.ok(token);
    assert.doesNotMatch(JSON.stringify(await admin.ask(200, 'GET', path)), /token/);
    await browser().ask(200, 'POST', '/v1/invitations/accept', {
      token,
      name: 'Guest',
      password: 'a long password',
    });
  });

  test('are links instead after ten mails to an address in a day', async () => {
    const inviteFrom = async (name: string): Promise<Invited> => {
      const { org_id } = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name });
      const invitation = { email: 'wanted@example.com', role: 'viewer' };
      return admin.ask<Invited>(201, 'POST', `/v1/organizations/${org_id}/invitations`, invitation);
    };
    for (let i = 0; i < 10; i++) assert.equal((await inviteFrom(`Organization ${i}`)).url, null);
    const last = await inviteFrom('Last');
    assert.match(last.url ?? '', /#token=/);
    assert.equal(last.mailed, false);
  });
});

/** Long enough for the service to have read the headers. A shorter wait would test less, but never fail. */
const headersReadMs = 200;

describe('organizations that are deleted while a request about them arrives', () => {
  /** Sends the headers, has the organization deleted, and then sends the body. */
  const sentAround = async (method: string, path: string, body: object) => {
    const organization = { name: 'Short-lived' };
    const { org_id } = await admin.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', organization);
    const sending = request(`${app.address}/v1/organizations/${org_id}${path && `/${path}`}`, {
      method,
      headers: { origin: publicUrl, cookie: admin.cookie, 'content-type': 'application/json' },
    });
    sending.flushHeaders();
    await setTimeout(headersReadMs);
    await admin.ask(204, 'DELETE', `/v1/organizations/${org_id}`);
    sending.end(JSON.stringify(body));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: response.statusCode, error: ((await json(response)) as { error?: string }).error };
  };

  for (const [method, path, body] of [
    ['POST', 'invitations', { email: 'i@example.com', role: 'member' }],
    ['POST', 'alerts/targets', { kind: 'webhook', address: 'https://example.com/' }],
    ['PUT', 'alerts/settings', { thresholds: [80], projection: true }],
    ['POST', 'embeddings', { input: 'a text' }],
    ['POST', 'keys', { name: 'late' }],
    ['PATCH', '', { name: 'Late' }],
  ] as const) {
    test(`${method} /${path} gets 404`, async () => {
      const answer = await sentAround(method, path, body);
      assert.deepEqual(answer, { status: 404, error: 'not_found' });
    });
  }
});
