import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { mailedToken } from '../../helpers/confirmations.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type MailServer, startMailServer } from '../../helpers/mail-server.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

const publicUrl = 'https://embed.example.com';
const dayMs = 86_400_000;

type Target = { target_id: string; address: string; confirmed_at: string | null };
type Delivery = { delivery_id: string; status: string; last_outcome: string | null };

describe('the channels of alerts', () => {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  let app: ListeningApp;
  let mail: MailServer;
  let page: Browser;
  before(async () => {
    mail = await startMailServer();
    const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl, WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
    app = await listeningApp({ environment, clock });
    page = await new Browser(app.address, publicUrl).signIn(app.administrator);
  });
  after(async () => {
    await app[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
  });
  const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address));
  const organization = async (name = 'Acme') => {
    const body = { name, tier: 'enterprise', limit: 10, window: 'month' };
    const { org_id: orgId } = await page.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', body);
    const path = `/v1/organizations/${orgId}/alerts`;
    return {
      orgId,
      path,
      add: (kind: string, address: string, status = 201) =>
        page.ask<Target>(status, 'POST', `${path}/targets`, { kind, address }),
      targets: async () => (await page.ask<{ data: Target[] }>(200, 'GET', `${path}/targets`)).data,
      deliveries: async () => (await page.ask<{ data: Delivery[] }>(200, 'GET', `${path}/deliveries`)).data,
      test: (targetId: string) => page.send('POST', `${path}/targets/${targetId}/test`),
    };
  };
  const confirm = (token: string) =>
    new Browser(app.address, publicUrl).send('POST', '/v1/alert-targets/confirm', { token });
  const sendAll = async (): Promise<void> => {
    app.services.alerting.deliverer.kick();
    await app.services.alerting.deliverer.idle();
  };

  test('mail an address that nobody confirmed one link, and nothing else', async () => {
    const { orgId, path, add, deliveries, targets, test: sendTest } = await organization();
    const { target_id, confirmed_at } = await add('email', 'victim@example.com');
    assert.equal(confirmed_at, null);
    const refused = await sendTest(target_id);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /The address is not confirmed yet/);
    const { secret } = await app.services.keys.create({ orgId, userId: 'user_1', name: 'a key' });
    for (let n = 0; n < 5; n += 1) {
      assert.equal((await requestEmbeddings(app.address, secret, `text ${n}`)).status, 200);
    }
    await eventually(async () => (await deliveries()).length === 1);
    await eventually(async () => (await deliveries())[0]?.status === 'failed');
    const [alert] = await deliveries();
    assert.equal(alert?.last_outcome, 'The address is not confirmed');
    assert.equal((await page.send('POST', `${path}/deliveries/${alert?.delivery_id}/resend`)).status, 400);
    assert.equal(mailsTo('victim@example.com').length, 1);

    const token = await mailedToken(mail, 'victim@example.com');
    for (const wrong of ['', token.slice(1), `${token}x`, token.replace(/\..*/, '.x')]) {
      assert.equal((await confirm(wrong)).status, 404, wrong);
    }
    assert.equal((await targets())[0]?.confirmed_at, null);
    assert.equal((await confirm(token)).status, 204);
    assert.equal((await confirm(token)).status, 204);
    assert.equal((await targets())[0]?.confirmed_at, '2026-11-21T03:00:00.000Z');
    await page.ask(202, 'POST', `${path}/deliveries/${alert?.delivery_id}/resend`);
    assert.equal((await sendTest(target_id)).status, 202);
    await sendAll();
    assert.equal(mailsTo('victim@example.com').length, 3);
    await page.ask(400, 'POST', `${path}/targets/${target_id}/confirmation`);
    await page.ask(204, 'DELETE', `${path}/targets/${target_id}`);
    assert.equal((await confirm(token)).status, 404);
  });

  test('need no confirmation for the verified address of a member', async () => {
    const { orgId, add } = await organization();
    const { user } = await app.services.users.create({
      email: 'grace@example.com',
      name: 'Grace',
      emailVerified: true,
    });
    assert.equal((await add('email', 'grace@example.com')).confirmed_at, null);
    await app.services.members.add(orgId, user.userId, 'viewer');
    assert.notEqual((await add('email', 'Grace@example.com')).confirmed_at, null);
    const { user: unverified } = await app.services.users.create({ email: 'eve@example.com', name: 'Eve' });
    await app.services.members.add(orgId, unverified.userId, 'viewer');
    assert.equal((await add('email', 'eve@example.com')).confirmed_at, null);
  });

  test('send the link again on request, a bounded number of times a day', async () => {
    const [one, other] = [await organization(), await organization()];
    const { target_id } = await one.add('email', 'lost@example.com');
    const again = () => page.send('POST', `${one.path}/targets/${target_id}/confirmation`);
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await again()).status);
    assert.deepEqual(statuses, [204, 204, 429]);
    assert.equal(mailsTo('lost@example.com').length, 3);
    await other.add('email', 'lost@example.com');
    for (let n = 0; n < 30; n += 1) {
      await page.send('POST', `${(await organization()).path}/targets`, {
        kind: 'email',
        address: 'lost@example.com',
      });
    }
    assert.ok(mailsTo('lost@example.com').length <= 10);
    clock.advance(dayMs);
    assert.equal((await again()).status, 204);
  });

  test('are not created when the link can’t be mailed', async () => {
    const { add, targets } = await organization();
    mail.refuse(true);
    await add('email', 'refused@example.com', 503);
    mail.refuse(false);
    assert.deepEqual(await targets(), []);
  });

  test('send a bounded number of tests a day to an address and for an organization', async () => {
    const statusesOf = async (send: () => Promise<Response>, times: number) => {
      const responses = [];
      for (let n = 0; n < times; n += 1) {
        responses.push(await send());
        if (n % 20 === 19) await sendAll();
      }
      const refused = responses.filter(({ status }) => status === 429);
      for (const { headers } of refused) assert.ok(Number(headers.get('retry-after')) > 0);
      return { sent: responses.filter(({ status }) => status === 202).length, refused: refused.length };
    };
    const mailed = await organization();
    const { target_id } = await mailed.add('email', 'flooded@example.com');
    await confirm(await mailedToken(mail, 'flooded@example.com'));
    assert.deepEqual(await statusesOf(() => mailed.test(target_id), 50), { sent: 20, refused: 30 });
    await sendAll();
    assert.equal(mailsTo('flooded@example.com').length, 21);

    await using receiver = await startWebhookReceiver();
    const hooked = await organization();
    const hook = await hooked.add('webhook', receiver.url);
    assert.deepEqual(await statusesOf(() => hooked.test(hook.target_id), 102), { sent: 100, refused: 2 });
    const [first] = await hooked.deliveries();
    await page.ask(429, 'POST', `${hooked.path}/deliveries/${first?.delivery_id}/resend`);
  });

  test('turn no part of an organization’s name into a link', async () => {
    const name = 'Your account is locked - unlock at https://evil.example/login';
    const { add, test: sendTest } = await organization(name);
    const { target_id } = await add('email', 'reader@example.com');
    await confirm(await mailedToken(mail, 'reader@example.com'));
    assert.equal((await sendTest(target_id)).status, 202);
    await sendAll();
    const received = mailsTo('reader@example.com');
    assert.equal(received.length, 2);
    for (const { content } of received) {
      assert.match(content, /Your account is locked/);
      assert.doesNotMatch(content, /evil\.example|:\/\/evil/);
    }
  });
});
