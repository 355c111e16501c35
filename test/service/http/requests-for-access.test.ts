import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startMailServer } from '../../helpers/mail-server.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

type Upgrade = { upgrade_id: string; tier: string; status: string; user_name: string; organization: string };
type Access = { access_id: string; organization: string; org_id: string | null; email: string };
type List<Row> = { data: Row[] };

describe('requests for another tier and for access', async () => {
  const mail = untilEnd(await startMailServer());
  const publicUrl = 'http://embedgate.test';
  const receiver = untilEnd(await startWebhookReceiver());
  const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl, WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
  const app = untilEnd(await listeningApp({ environment }));
  const { users, members, organizations } = app.services;
  const root = await new Browser(app.address, publicUrl).signIn(app.administrator);
  const person = async (name: string) => {
    const { user, password } = await users.create({ email: `${name}@example.com`, name });
    const page = await new Browser(app.address, publicUrl).signIn({ email: user.email, password });
    return { page, userId: user.userId, email: user.email };
  };
  const { orgId } = await organizations.create({ name: 'Acme', tier: 'free' });
  const path = `/v1/organizations/${orgId}`;
  const [ada, bob] = [await person('ada'), await person('bob')];
  await members.add(orgId, ada.userId, 'owner');
  await members.add(orgId, bob.userId, 'viewer');
  const webhook = { kind: 'webhook', address: receiver.url };
  await root.ask(201, 'POST', `${path}/alerts/targets`, webhook);
  const notified = async (id: string) => {
    type Event = { type: string; data: Record<string, string> };
    const events = () => receiver.received.map(({ body }) => JSON.parse(body) as Event);
    await eventually(() => events().some(({ data }) => data.id === id));
    const { type, data } = events().find(({ data }) => data.id === id)!;
    return [type, data.org_id, data.message];
  };
  const mailedTo = (about: RegExp) =>
    mail.mails.filter(({ content }) => about.test(content)).flatMap(({ to }) => to);

  describe('for another tier', () => {
    const ask = (page: Browser, tier: string) =>
      page.ask<Upgrade>(201, 'POST', `${path}/upgrade-requests`, { tier });
    const list = async () => (await root.ask<List<Upgrade>>(200, 'GET', `${path}/upgrade-requests`)).data;
    const decide = (status: number, { upgrade_id }: Upgrade, approve: boolean) =>
      root.ask<Upgrade>(status, 'POST', `${path}/upgrade-requests/${upgrade_id}/decide`, { approve });

    test('a second request replaces the first; approving sets the tier once, and mail goes to administrators', async () => {
      const first = await ask(bob.page, 'pro');
      assert.equal((await ask(bob.page, 'pro')).upgrade_id, first.upgrade_id);
      const second = await ask(bob.page, 'scale');
      assert.deepEqual(
        (await list()).map((one) => [one.tier, one.status, one.organization, one.user_name]),
        [['scale', 'open', 'Acme', 'bob']],
      );
      // The administrator still sees the first one.
      await decide(404, first, true);
      assert.equal((await decide(200, second, true)).status, 'approved');
      assert.equal((await organizations.get(orgId)).tier, 'scale');
      await decide(400, second, false);
      await eventually(() => mailedTo(/tier scale/).length === 1);
      assert.deepEqual(mailedTo(/tier scale/), [app.administrator.email]);
      assert.deepEqual(await notified(first.upgrade_id), [
        'upgrade.requested',
        orgId,
        'bob asks for the tier pro for Acme.',
      ]);
      await notified(second.upgrade_id);
      assert.equal(mailedTo(/tier pro/).length, 1);
    });

    test('declining keeps the tier, and the person can ask again', async () => {
      const { tier } = await organizations.get(orgId);
      assert.equal((await decide(200, await ask(bob.page, 'pro'), false)).status, 'declined');
      assert.equal((await organizations.get(orgId)).tier, tier);
      assert.equal((await ask(bob.page, 'pro')).status, 'open');
    });

    test('people withdraw only their own open requests, and ask only for a tier that they don’t have', async () => {
      const made = await ask(ada.page, 'pro');
      await bob.page.ask(404, 'DELETE', `${path}/upgrade-requests/${made.upgrade_id}`);
      await ada.page.ask(204, 'DELETE', `${path}/upgrade-requests/${made.upgrade_id}`);
      await ada.page.ask(404, 'DELETE', `${path}/upgrade-requests/${made.upgrade_id}`);
      const { tier } = await organizations.get(orgId);
      for (const refused of ['none', tier]) {
        await ada.page.ask(400, 'POST', `${path}/upgrade-requests`, { tier: refused });
      }
    });
  });

  describe('for access', () => {
    const ask = (page: Browser, organization: string) =>
      page.ask<Access>(202, 'POST', '/v1/access-requests', { organization });
    const named = async (page: Browser, from: string) =>
      (await page.ask<List<Access>>(200, 'GET', from)).data;

    test('the response and the person’s own list don’t say whether there is such an organization', async () => {
      const guest = await person('curious');
      const [known, unknown] = [await ask(guest.page, 'ACME'), await ask(guest.page, 'Nobody Inc')];
      assert.deepEqual(Object.keys(known), Object.keys(unknown));
      const again = await ask(guest.page, 'acme');
      const own = await named(guest.page, '/v1/access-requests');
      assert.deepEqual(
        own.map(({ organization, org_id }) => [organization, org_id]),
        [['acme', null]],
      );
      const seen = (await named(root, '/v1/access-requests')).find(({ email }) => email === guest.email);
      assert.equal(seen?.org_id, orgId);
      await ada.page.ask(404, 'DELETE', `${path}/access-requests/${known.access_id}`);
      await ada.page.ask(204, 'DELETE', `${path}/access-requests/${again.access_id}`);
    });

    test('an owner accepts a request that names the organization, and gets mail about it', async () => {
      const guest = await person('newcomer');
      const { access_id } = await ask(guest.page, 'acme');
      const accept = `${path}/access-requests/${access_id}/accept`;
      await bob.page.ask(403, 'POST', accept, { role: 'viewer' });
      assert.deepEqual(
        (await named(ada.page, `${path}/access-requests`)).map(({ email }) => email),
        [guest.email],
      );
      await ada.page.ask(204, 'POST', accept, { role: 'member' });
      assert.equal(await members.role(orgId, guest.userId), 'member');
      await ada.page.ask(404, 'POST', accept, { role: 'member' });
      await guest.page.ask(400, 'POST', '/v1/access-requests', { organization: 'Other' });
      await eventually(() => mailedTo(/newcomer.*asks to join/).length === 2);
      assert.ok(mailedTo(/newcomer.*asks to join/).includes(ada.email));
      assert.deepEqual(await notified(access_id), [
        'access.requested',
        orgId,
        'newcomer asks to join acme. Anyone can type the name of an organization. Accept only people you know.',
      ]);
    });

    test('only owners and administrators make owners, and only administrators accept what names another organization', async () => {
      const { userId, page: admin } = await person('manager');
      await members.add(orgId, userId, 'admin');
      const guest = await person('stray');
      const { access_id } = await ask(guest.page, 'Acme');
      const accept = (id: string) => `${path}/access-requests/${id}/accept`;
      await admin.ask(403, 'POST', accept(access_id), { role: 'owner' });
      const other = await ask(guest.page, 'Acme Incorporated');
      await ada.page.ask(404, 'POST', accept(other.access_id), { role: 'member' });
      await ada.page.ask(404, 'DELETE', `${path}/access-requests/${other.access_id}`);
      // An administrator still sees the first one.
      await root.ask(404, 'POST', accept(access_id), { role: 'owner' });
      await root.ask(204, 'POST', accept(other.access_id), { role: 'owner' });
      assert.equal(await members.role(orgId, guest.userId), 'owner');
    });

    test('a declined request is gone, and the 6th request of a day is refused', async () => {
      const guest = await person('insistent');
      for (let i = 0; i < 5; i += 1) {
        const { access_id } = await ask(guest.page, 'Acme');
        await ada.page.ask(204, 'DELETE', `${path}/access-requests/${access_id}`);
      }
      assert.deepEqual(await named(guest.page, '/v1/access-requests'), []);
      await guest.page.ask(429, 'POST', '/v1/access-requests', { organization: 'Acme' });
    });
  });
});
