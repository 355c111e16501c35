import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type ListeningApp, listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { mailedToken } from '../../helpers/confirmations.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type MailServer, startMailServer } from '../../helpers/mail-server.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhook-receiver.ts';

type AlertView = {
  alert_id: string;
  kind: string;
  threshold: number | null;
  is_current: boolean;
  used: number;
  acknowledged_by: string | null;
};
type DeliveryView = {
  delivery_id: string;
  message_id: string;
  target_id: string;
  type: string;
  status: string;
  attempts: number;
  last_outcome: string | null;
  message: { data: { threshold?: number } };
};
type List<T> = { data: T[] };

describe('alerts', () => {
  let app: ListeningApp;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let page: Browser;
  before(async () => {
    mail = await startMailServer();
    receiver = await startWebhookReceiver();
    const environment = {
      SMTP_URL: mail.url,
      PUBLIC_URL: 'https://embed.example.com',
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    };
    app = await listeningApp({ environment });
    page = new Browser(app.address, 'https://embed.example.com');
    await page.signIn(app.administrator);
  });
  after(async () => {
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
  });

  const confirm = async (address: string) =>
    page.ask(204, 'POST', '/v1/alert-targets/confirm', { token: await mailedToken(mail, address) });

  /** An organization with ten requests a month, and a key of it. */
  async function organization() {
    const { org_id: orgId } = await page.ask<{ org_id: string }>(201, 'POST', '/v1/organizations', {
      name: 'Acme',
      tier: 'enterprise',
      limit: 10,
      window: 'month',
    });
    const { secret, key } = await app.services.keys.create({ orgId, userId: 'user_1', name: 'a key' });
    const path = `/v1/organizations/${orgId}/alerts`;
    const alerts = async () => (await page.ask<List<AlertView>>(200, 'GET', path)).data;
    const deliveries = async (query = '') =>
      (await page.ask<List<DeliveryView>>(200, 'GET', `${path}/deliveries${query}`)).data;
    let sent = 0;
    const embed = async (times: number) => {
      const texts = Array.from({ length: times }, () => `${orgId} ${sent++}`);
      const answers = await Promise.all(texts.map((text) => requestEmbeddings(app.address, secret, text)));
      for (const answer of answers) assert.equal(answer.status, 200);
    };
    return { orgId, keyId: key.keyId, secret, path, alerts, deliveries, embed };
  }

  test('reached thresholds raise alerts that are mailed and sent to a webhook, which can verify them', async () => {
    const { orgId, path, alerts, deliveries, embed } = await organization();
    const hook = await page.ask<{ target_id: string; secret: string }>(201, 'POST', `${path}/targets`, {
      kind: 'webhook',
      address: receiver.url,
    });
    await page.ask(201, 'POST', `${path}/targets`, { kind: 'email', address: 'Ada@example.com' });
    await confirm('ada@example.com');
    await embed(8);
    await eventually(async () => (await alerts()).length === 2);
    assert.deepEqual(
      (await alerts()).map(({ kind, threshold, is_current }) => [kind, threshold, is_current]),
      [
        ['threshold', 80, true],
        ['threshold', 50, true],
      ],
    );
    await eventually(async () => (await deliveries()).every(({ status }) => status === 'delivered'));
    assert.equal((await deliveries()).length, 4);

    const verified = receiver.received.map(({ body, headers }) =>
      new Webhook(hook.secret).verify(body, headers),
    ) as { type: string; data: { threshold: number; org_id: string; limit: number } }[];
    assert.deepEqual(
      verified.map(({ type, data }) => [type, data.threshold, data.org_id, data.limit]).sort(),
      [
        ['quota.threshold_reached', 50, orgId, 10],
        ['quota.threshold_reached', 80, orgId, 10],
      ],
    );
    const mails = mail.mails.filter(
      ({ to, content }) => to.includes('ada@example.com') && / % of the quota/.test(content),
    );
    assert.equal(mails.length, 2);
    const eighty = mails.find(({ content }) => /80 %/.test(content));
    assert.match(eighty?.content ?? '', /Subject: Acme: 80 % of the quota is used/);
    assert.match(eighty?.content ?? '', new RegExp(`https://embed.example.com/organizations/${orgId}`));

    await embed(2);
    await eventually(async () => (await alerts()).length === 4);
    await eventually(async () => (await deliveries()).every(({ status }) => status === 'delivered'));
    assert.equal((await deliveries()).length, 8);
  });

  test('settings decide which alerts are raised, and an alert shows who acknowledged it', async () => {
    const { path, alerts, embed, secret, keyId } = await organization();
    assert.deepEqual(await page.ask(200, 'GET', `${path}/settings`), {
      thresholds: [50, 80, 90, 100],
      projection: true,
    });
    await page.ask(400, 'PUT', `${path}/settings`, { thresholds: [0], projection: true });
    await page.ask(400, 'PUT', `${path}/settings`, { thresholds: [50] });
    const settings = await page.ask(200, 'PUT', `${path}/settings`, {
      thresholds: [90, 30],
      projection: false,
    });
    assert.deepEqual(settings, { thresholds: [30, 90], projection: false });
    await embed(5);
    await eventually(async () => (await alerts()).length === 1);
    const [alert] = await alerts();
    assert.deepEqual([alert?.threshold, alert?.acknowledged_by], [30, null]);

    const program = new Browser(app.address);
    const authorization = { authorization: `Bearer ${secret}` };
    const acknowledge = `${path}/${alert?.alert_id}/acknowledge`;
    const answer = await program.send('POST', acknowledge, undefined, authorization);
    assert.equal(answer.status, 200);
    const { acknowledged_by } = (await answer.json()) as AlertView;
    assert.equal(acknowledged_by, keyId);
    const later = await page.ask<AlertView>(200, 'POST', acknowledge);
    assert.equal(later.acknowledged_by, acknowledged_by);
  });

  test('the delivery log shows that a mail was refused, without the mail server’s words', async () => {
    const { path, deliveries } = await organization();
    const { target_id, secret } = await page.ask<{ target_id: string; secret: null }>(
      ...([201, 'POST', `${path}/targets`, { kind: 'email', address: 'gone@example.com' }] as const),
    );
    assert.equal(secret, null);
    await confirm('gone@example.com');
    mail.refuse(true);
    await page.ask(202, 'POST', `${path}/targets/${target_id}/test`);
    await eventually(
      async () => (await deliveries())[0]?.attempts === 1 && (await deliveries())[0]?.last_outcome !== null,
    );
    assert.equal((await deliveries())[0]?.last_outcome, 'The mail server returned 550');
    mail.refuse(false);
  });

  test('an unknown kind of target gets 400, and a secret is shown only once', async () => {
    const { path } = await organization();
    await page.ask(400, 'POST', `${path}/targets`, { kind: 'pigeon', address: 'loft' });
    await page.ask(201, 'POST', `${path}/targets`, { kind: 'webhook', address: receiver.url });
    const { data } = await page.ask<List<object>>(200, 'GET', `${path}/targets`);
    assert.equal(data.length, 1);
    assert.doesNotMatch(JSON.stringify(data), /whsec_|secret/);
  });

  test('a receiver that does not respond delays no other organization', async () => {
    await using silent = await startWebhookReceiver();
    silent.answer(null);
    const [stuck, other] = [await organization(), await organization()];
    const create = (path: string, address: string) =>
      page.ask<{ target_id: string }>(201, 'POST', `${path}/targets`, { kind: 'webhook', address });
    const { target_id: stuckTarget } = await create(stuck.path, silent.url);
    const { target_id } = await create(other.path, receiver.url);
    receiver.answer(204);
    // At once, because the first ones are given up after ten seconds.
    await Promise.all(
      Array.from({ length: 40 }, () => page.ask(202, 'POST', `${stuck.path}/targets/${stuckTarget}/test`)),
    );
    await eventually(() => silent.received.length >= 4);
    await page.ask(202, 'POST', `${other.path}/targets/${target_id}/test`);
    await eventually(async () => (await other.deliveries())[0]?.status === 'delivered');
    assert.ok((await stuck.deliveries()).every(({ last_outcome }) => last_outcome === null));
  });

  test('by default, no mail is sent and no webhook reaches a private address', async () => {
    await using strict = await listeningApp();
    const browser = await new Browser(strict.address).signIn(strict.administrator);
    const path = `/v1/organizations/${strict.orgId}/alerts`;
    const create = (kind: string, address: string, status: number) =>
      browser.ask<{ message: string; target_id: string }>(status, 'POST', `${path}/targets`, {
        kind,
        address,
      });
    assert.match((await create('email', 'ada@example.com', 400)).message, /SMTP_URL is not set/);
    assert.match((await create('webhook', receiver.url, 400)).message, /private address/);
    const seen = receiver.received.length;
    const { port } = new URL(receiver.url);
    const { target_id } = await create('webhook', `http://localhost:${port}/hook`, 201);
    await browser.ask(202, 'POST', `${path}/targets/${target_id}/test`);
    const newest = async () =>
      (await browser.ask<List<DeliveryView>>(200, 'GET', `${path}/deliveries`)).data[0];
    await eventually(async () => (await newest())?.last_outcome !== null);
    assert.equal((await newest())?.last_outcome, 'localhost does not lead to a public address');
    assert.equal(receiver.received.length, seen);
  });
});
