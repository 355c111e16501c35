import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditList } from '../../../src/audit/entry.ts';
import { allRows } from '../../../src/lib/page.ts';
import { admitInvitation } from '../../../src/users/bounds.ts';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { stoppedClock } from '../../helpers/clock.ts';
import { startOidcProvider } from '../../helpers/oidc-provider.ts';
import { untilEnd } from '../../helpers/until-end.ts';

type Invited = { invitation_id: string; url: string | null };

const publicUrl = 'http://embedgate.test';
const victim = 'victim@example.com';
const chosen = { name: 'Not the victim', password: 'known to a stranger' };

const provider = untilEnd(await startOidcProvider());
const environment = { PUBLIC_URL: publicUrl, ...provider.environment };
const app = untilEnd(await listeningApp({ clock: stoppedClock(), environment }));
const browser = () => new Browser(app.address, publicUrl);

describe('invitations without mail', async () => {
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

test('a sign-out also leads to the provider if the person has an account there', async () => {
  const page = browser();
  const email = 'leaver@example.com';
  await app.services.users.create({ email });
  provider.person = { sub: email, email, email_verified: true, name: 'By provider' };
  const { url } = await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', {
    provider: 'oidc',
  });
  await page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
  const { cookie } = page;
  const end = new URL((await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-out')).url);
  const { id_token_hint, ...fields } = Object.fromEntries(end.searchParams);
  assert.equal(`${end.origin}${end.pathname}`, `${provider.issuer}/logout`);
  assert.deepEqual(fields, {
    realm: 'acme',
    client_id: 'embedgate',
    post_logout_redirect_uri: `${publicUrl}/login`,
  });
  assert.equal(JSON.parse(`${Buffer.from(id_token_hint!.split('.')[1]!, 'base64url')}`).sub, email);
  const headers = { cookie, origin: publicUrl };
  assert.equal((await fetch(`${app.address}/v1/me`, { headers })).status, 401);
});

describe('the audit log and sign-ins with a provider', () => {
  const { audit } = app.services.stores;

  /** Signs in as a person of the provider, and returns the entries of that. */
  async function entriesOf(email: string) {
    const before = await allRows((query) => audit.page({}, auditList.request(query)));
    const page = browser();
    provider.person = { sub: email, email, email_verified: true, name: 'By provider' };
    const { url } = await page.ask<{ url: string }>(200, 'POST', '/v1/auth/sign-in/provider', {
      provider: 'oidc',
    });
    await page.send('GET', `/auth/callback/oidc?${provider.consent(url)}`);
    const now = await allRows((query) => audit.page({}, auditList.request(query)));
    return now.slice(0, now.length - before.length).map(({ action, actorKind, targetName, after }) => {
      return { action, actorKind, targetName, after };
    });
  }

  test('a new account has entries of the provider, and its sign-in one of the person', async () => {
    const email = 'invited@example.com';
    const invited = { orgId: app.orgId, email, role: 'viewer', invitedBy: 'x', mailed: false } as const;
    await app.services.invitations.create(invited);
    const [session, link, user] = await entriesOf(email);
    const target = { targetName: email };
    const after = { provider_id: 'oidc' };
    assert.deepEqual(session, { action: 'session.create', actorKind: 'user', ...target, after });
    assert.deepEqual(link, { action: 'user.link', actorKind: 'provider', ...target, after });
    assert.deepEqual([user?.action, user?.actorKind], ['user.create', 'provider']);
  });

  test('a refused sign-in has an entry with the reason', async () => {
    const [refused] = await entriesOf('stranger@example.com');
    assert.deepEqual([refused?.action, refused?.actorKind], ['session.refuse', 'provider']);
    assert.deepEqual(Object.keys(refused?.after ?? {}), ['error']);
  });
});
