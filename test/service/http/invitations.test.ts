import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admitInvitation } from '../../../src/users/bounds.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Invited = { invitation_id: string; url: string | null; mailed: boolean };

const publicUrl = 'http://embedgate.test';
const victim = 'victim@example.com';
const chosen = { name: 'Not the victim', password: 'known to a stranger' };

describe('invitations without mail', async () => {
  const provider = untilEnd(await startOidcProvider());
  const environment = { PUBLIC_URL: publicUrl, ...provider.environment };
  const app = untilEnd(await listeningApp({ clock: stoppedClock(), environment }));
  const browser = () => new Browser(app.address, publicUrl);
  const root = await browser().signIn(app.administrator);

  const path = (what = '') => `/v1/organizations/${app.orgId}/${what}`;
  const tokenOf = ({ url }: Invited) => /#token=(.+)$/.exec(url ?? '')?.[1];
  const invite = (page: Browser, email: string, role: string) =>
    page.ask<Invited>(201, 'POST', path('invitations'), { email, role });
  const accept = (invited: Invited, page = browser()) =>
    page.send('POST', '/v1/invitations/accept', {
      token: tokenOf(invited),
      name: 'Guest',
      password: 'a long password',
    });
  const hasUser = async (email: string) => (await app.services.users.find(email)) !== undefined;

  test('an invitation that is withdrawn while it is accepted gets 404 and creates no account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = `withdrawn${round}@example.com`;
      const invited = await invite(root, email, 'member');
      const [accepted] = await Promise.all([
        accept(invited),
        root.send('DELETE', path(`invitations/${invited.invitation_id}`)),
      ]);
      assert.equal(await hasUser(email), accepted.status === 200);
    }
  });

  test('an invitation whose organization is deleted while it is accepted gets 404 and creates no account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const email = `homeless${round}@example.com`;
      const { org_id } = await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'x' });
      const url = `/v1/organizations/${org_id}`;
      const invited = await root.ask<Invited>(201, 'POST', `${url}/invitations`, { email, role: 'member' });
      const [accepted] = await Promise.all([accept(invited), root.send('DELETE', url)]);
      assert.equal(await hasUser(email), accepted.status === 200);
    }
  });

  test('invitations are bounded by address and by organization with 429, including those sent again', async () => {
    const newOrganization = async (name: string) =>
      (await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name })).org_id;
    const [first, second, third] = [
      await newOrganization('First'),
      await newOrganization('Second'),
      await newOrganization('Third'),
    ];
    const inviteTo = (orgId: string, email: string) =>
      root.send('POST', `/v1/organizations/${orgId}/invitations`, { email, role: 'viewer' });
    const refused = async (orgId: string, email: string) => {
      const response = await inviteTo(orgId, email);
      assert.equal(response.status, 429);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
    };
    for (const orgId of [first, second]) {
      for (let i = 0; i < 5; i += 1) assert.equal((await inviteTo(orgId, 'much@example.com')).status, 201);
      await refused(orgId, 'Much@example.com');
    }
    // Other organizations must not be able to use up what a person can get.
    assert.equal((await inviteTo(third, 'much@example.com')).status, 201);
    assert.equal((await inviteTo(first, 'other@example.com')).status, 201);
    const { attempts } = app.services;
    for (let i = 0; i < 98; i += 1) await admitInvitation(attempts, third, `n${i}@example.com`);
    assert.equal((await inviteTo(third, 'n98@example.com')).status, 201);
    await refused(third, 'n99@example.com');
  });

  test('a stranger’s account with another person’s address gives no way into what that person joins with a provider', async () => {
    const inviteTo = async (orgId: string) => {
      const path = `/v1/organizations/${orgId}/invitations`;
      const { url } = await root.ask<Invited>(201, 'POST', path, { email: victim, role: 'admin' });
      return url?.split('#token=')[1];
    };
    const stranger = browser();
    const accepted = { token: await inviteTo(app.orgId), ...chosen };
    await stranger.ask(200, 'POST', '/v1/invitations/accept', accepted);

    const other = await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'Other' });
    const token = await inviteTo(other.org_id);
    provider.person = { sub: 'v', email: victim, email_verified: true, name: 'Victim' };
    const owner = browser();
    const { url } = await owner.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', {
      provider: 'oidc',
    });
    await owner.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    await owner.ask(200, 'POST', '/v1/invitations/accept', { token });
    await owner.ask(200, 'GET', `/v1/organizations/${other.org_id}`);

    await stranger.ask(401, 'GET', `/v1/organizations/${other.org_id}`);
    await browser().ask(401, 'POST', '/v1/auth/sign-in', { email: victim, password: chosen.password });
  });
});

describe('invitations by mail', async () => {
  const mail = untilEnd(await startMailServer());
  const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl };
  const app = untilEnd(await listeningApp({ clock: stoppedClock(), environment }));
  const admin = await new Browser(app.address, publicUrl).signIn(app.administrator);
  const path = `/v1/organizations/${app.orgId}/invitations`;

  test('get 503 and are not created if the mail server refuses the mail', async () => {
    mail.refuse(true);
    await admin.ask(503, 'POST', path, { email: victim, role: 'member' });
    assert.deepEqual((await admin.ask<{ data: unknown[] }>(200, 'GET', path)).data, []);
    mail.refuse(false);
  });

  test('get 201 without the link: neither that response nor the list shows the inviter what was mailed', async () => {
    const invited = await admin.ask<Invited>(201, 'POST', path, { email: victim, role: 'member' });
    assert.deepEqual([invited.url, invited.mailed], [null, true]);
    await eventually(() => mail.mails.length === 1);
    const [, token] = /#token=(\S+)/.exec(mail.mails[0]?.content ?? '') ?? [];
    assert.ok(token);
    assert.doesNotMatch(JSON.stringify(await admin.ask(200, 'GET', path)), /token/);
    await new Browser(app.address, publicUrl).ask(200, 'POST', '/v1/invitations/accept', {
      token,
      ...chosen,
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
