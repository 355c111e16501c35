import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { listeningApp } from '../../helpers/app.ts';
import { Browser } from '../../helpers/browser.ts';
import { TestClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { mailedToken, startMailServer } from '../../helpers/mail-server.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

type AlertView = {
  alert_id: string;
  kind: string;
  threshold: number | null;
  is_current: boolean;
  used: number;
  user_id: string | null;
  name: string | null;
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

const publicUrl = 'https://embed.example.com';
// A webhook whose message has another time than the receiver's is refused.
const clock = new TestClock(new Date().toISOString());
const mail = untilEnd(await startMailServer());
const receiver = untilEnd(await startWebhookReceiver());
const environment = { SMTP_URL: mail.url, PUBLIC_URL: publicUrl, WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
const app = untilEnd(await listeningApp({ environment, clock }));
const page = await new Browser(app.address, publicUrl).signIn(app.administrator);

describe('alerts', () => {
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
    const last = (await deliveries()).at(-1);
    assert.deepEqual(await deliveries(`?delivery_id=${last?.delivery_id}`), [last]);

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

  test('a channel of the installation gets the notices of all organizations with their names, and they see neither it nor its deliveries', async () => {
    const hooked = await startWebhookReceiver();
    try {
      const channel = { kind: 'webhook', address: hooked.url };
      const { target_id } = await page.ask<{ target_id: string }>(201, 'POST', '/v1/alerts/targets', channel);
      const [one, other] = [await organization(), await organization()];
      await page.ask(200, 'PATCH', `/v1/organizations/${one.orgId}`, { external_id: 'customer-7' });
      await Promise.all([one.embed(5), other.embed(5)]);
      await eventually(() => hooked.received.length === 2);
      const told = hooked.received.map(({ body }) => JSON.parse(body).data);
      assert.deepEqual(
        told.map(({ org_id, external_id, organization: name }) => [org_id, external_id, name]).sort(),
        [
          [one.orgId, 'customer-7', 'Acme'],
          [other.orgId, null, 'Acme'],
        ].sort(),
      );
      assert.deepEqual(
        [await one.deliveries(), (await page.ask<List<object>>(200, 'GET', `${one.path}/targets`)).data],
        [[], []],
      );
      await page.ask(404, 'DELETE', `${one.path}/targets/${target_id}`);
      await page.ask(400, 'POST', '/v1/alerts/targets', { kind: 'email', address: 'ada@example.com' });
      await page.ask(204, 'DELETE', `/v1/alerts/targets/${target_id}`);
    } finally {
      await hooked[Symbol.asyncDispose]();
    }
  });

  test('name the user of an application whose limit is used up', async () => {
    const { orgId, path, alerts, embed } = await organization();
    await page.ask(200, 'PUT', `${path}/settings`, { thresholds: [], limit_thresholds: [100] });
    const limit = { user_id: 'user_1', unit: 'requests', window: 'month', amount: 1 };
    await page.ask(201, 'POST', `/v1/organizations/${orgId}/limits`, limit);
    await embed(1);
    await eventually(async () => (await alerts()).length === 1);
    const [alert] = await alerts();
    assert.deepEqual([alert?.user_id, alert?.name], ['user_1', 'user_1']);
  });

  test('settings decide which alerts are raised, and an alert shows who acknowledged it', async () => {
    const { path, alerts, embed, secret, keyId } = await organization();
    assert.deepEqual(await page.ask(200, 'GET', `${path}/settings`), {
      thresholds: [50, 80, 90, 100],
      limit_thresholds: [],
      key_expiry: true,
      projection: true,
      tier_thresholds: [],
    });
    await page.ask(400, 'PUT', `${path}/settings`, { thresholds: [0], projection: true });
    await page.ask(200, 'PUT', `${path}/settings`, { projection: false });
    const settings = await page.ask(200, 'PUT', `${path}/settings`, { thresholds: [90, 30] });
    assert.deepEqual(settings, {
      thresholds: [30, 90],
      limit_thresholds: [],
      key_expiry: true,
      projection: false,
      tier_thresholds: [],
    });
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
    await page.ask(204, 'POST', `${path}/acknowledge`, { alert_ids: [alert?.alert_id, crypto.randomUUID()] });
    assert.equal((await alerts())[0]?.acknowledged_by, acknowledged_by);
    for (const body of [{}, { alert_ids: [] }, { alert_ids: ['none'] }])
      await page.ask(400, 'POST', `${path}/acknowledge`, body);
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
    const chat = { kind: 'webhook', address: 'https://hooks.slack.com/services/T0/B0/x' };
    const {
      kind,
      secret: none,
      target_id,
    } = await page.ask<{
      kind: string;
      secret: string | null;
      target_id: string;
    }>(201, 'POST', `${path}/targets`, chat);
    assert.deepEqual([kind, none], ['slack', null]);
    await page.ask(204, 'DELETE', `${path}/targets/${target_id}`);
    await page.ask(201, 'POST', `${path}/targets`, { kind: 'webhook', address: receiver.url });
    const { data } = await page.ask<List<object>>(200, 'GET', `${path}/targets`);
    assert.equal(data.length, 1);
    assert.doesNotMatch(JSON.stringify(data), /whsec_|secret/);
  });

  test('a webhook signs with the secret that its maker states, and with another after the same call with that', async () => {
    await using own = await startWebhookReceiver();
    const { path } = await organization();
    const target = { kind: 'webhook', address: own.url };
    const secretOf = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`;
    for (const secret of [secretOf(1), secretOf(2)]) {
      const made = await page.ask<{ target_id: string }>(201, 'POST', `${path}/targets`, {
        ...target,
        secret,
      });
      await page.ask(202, 'POST', `${path}/targets/${made.target_id}/test`);
      await eventually(() => own.received.length > 0);
      const { body, headers } = own.received.at(-1)!;
      new Webhook(secret).verify(body, headers);
      (own.received as object[]).length = 0;
    }
    for (const refused of [
      { ...target, secret: 'whsec_short' },
      { kind: 'slack', address: 'https://hooks.slack.com/services/T0/B0/x', secret: secretOf(1) },
    ])
      await page.ask(400, 'POST', `${path}/targets`, refused);
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
});

const dayMs = 86_400_000;

type Target = { target_id: string; address: string; confirmed_at: string | null };
type Delivery = { delivery_id: string; status: string; last_outcome: string | null };

describe('the channels of alerts', () => {
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
    assert.equal((await targets())[0]?.confirmed_at, new Date(clock.now()).toISOString());
    await page.ask(202, 'POST', `${path}/deliveries/${alert?.delivery_id}/resend`);
    assert.equal((await sendTest(target_id)).status, 202);
    await sendAll();
    assert.equal(mailsTo('victim@example.com').length, 3);
    await page.ask(400, 'POST', `${path}/targets/${target_id}/confirmation`);
    await page.ask(204, 'DELETE', `${path}/targets/${target_id}`);
    assert.equal((await confirm(token)).status, 404);
  });

  test('have a name, an address that only those read who may change them, and no address twice', async () => {
    const { orgId, path } = await organization();
    const target = {
      name: 'On-call',
      kind: 'discord',
      address: 'https://hooks.slack.com/services/T0/B0/secret',
    };
    const made = await page.ask<Record<string, string>>(201, 'POST', `${path}/targets`, target);
    assert.deepEqual([made.kind, made.name, made.address], ['slack', 'On-call', target.address]);
    const renamed = await page.ask<Record<string, string>>(201, 'POST', `${path}/targets`, {
      ...target,
      name: 'Nights',
    });
    assert.deepEqual([renamed.target_id, renamed.name], [made.target_id, 'Nights']);
    const { user, password } = await app.services.users.create({ email: 'reader@example.com', name: 'R' });
    await app.services.members.add(orgId, user.userId, 'member');
    const member = await new Browser(app.address, publicUrl).signIn({ email: user.email, password });
    const { data } = await member.ask<{ data: Record<string, string>[] }>(200, 'GET', `${path}/targets`);
    assert.deepEqual(
      data.map(({ name, address }) => [name, address]),
      [['Nights', 'https://hooks.slack.com']],
    );
  });

  test('need no confirmation for the verified address of a member', async () => {
    const { orgId, path, add } = await organization();
    const { user } = await app.services.users.create({
      email: 'grace@example.com',
      name: 'Grace',
      emailVerified: true,
    });
    const before = await add('email', 'grace@example.com');
    assert.equal(before.confirmed_at, null);
    await page.ask(204, 'DELETE', `${path}/targets/${before.target_id}`);
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
    for (let n = 0; n < 8; n += 1) {
      await page.send('POST', `${(await organization()).path}/targets`, {
        kind: 'email',
        address: 'lost@example.com',
      });
    }
    assert.equal(mailsTo('lost@example.com').length, 10);
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
    assert.deepEqual(await statusesOf(() => mailed.test(target_id), 22), { sent: 20, refused: 2 });
    await sendAll();
    assert.equal(mailsTo('flooded@example.com').length, 21);

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
