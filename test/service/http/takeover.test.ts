import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';

const publicUrl = 'http://embedgate.test';
const victim = 'victim@example.com';
const chosen = { name: 'Not the victim', password: 'known to a stranger' };

type Invited = { url: string | null; mailed: boolean };

describe('an account that a stranger created with another person’s address', () => {
  test('an invitation gets 201 without the link: neither that response nor the list shows the inviter what was mailed', async () => {
    await using mail = await startMailServer();
    await using app = await listeningApp({ environment: { SMTP_URL: mail.url, PUBLIC_URL: publicUrl } });
    const admin = await new Browser(app.address, publicUrl).signIn(app.administrator);
    const path = `/v1/organizations/${app.orgId}/invitations`;
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

  test('an invitation whose mail the server refuses gets 503 and is not created', async () => {
    await using mail = await startMailServer();
    await using app = await listeningApp({ environment: { SMTP_URL: mail.url, PUBLIC_URL: publicUrl } });
    const admin = await new Browser(app.address, publicUrl).signIn(app.administrator);
    const path = `/v1/organizations/${app.orgId}/invitations`;
    mail.refuse(true);
    await admin.ask(503, 'POST', path, { email: victim, role: 'member' });
    assert.deepEqual((await admin.ask<{ data: unknown[] }>(200, 'GET', path)).data, []);
    mail.refuse(false);
    await admin.ask(201, 'POST', path, { email: victim, role: 'member' });
  });

  test('gives the stranger no way into an organization that the owner of the address joins with a provider', async () => {
    await using provider = await startOidcProvider();
    await using app = await listeningApp({
      environment: {
        PUBLIC_URL: publicUrl,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'embedgate',
        OIDC_CLIENT_SECRET: 'secret',
      },
    });
    const browser = () => new Browser(app.address, publicUrl);
    const root = await browser().signIn(app.administrator);
    const invite = async (orgId: string) => {
      const path = `/v1/organizations/${orgId}/invitations`;
      const { url } = await root.ask<Invited>(201, 'POST', path, { email: victim, role: 'admin' });
      return url?.split('#token=')[1];
    };
    const stranger = browser();
    const accepted = { token: await invite(app.orgId), ...chosen };
    await stranger.ask(200, 'POST', '/v1/invitations/accept', accepted);

    const other = await root.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', { name: 'Other' });
    const token = await invite(other.org_id);
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
