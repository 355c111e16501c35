import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openPostgres, type TestPostgres } from '../../helpers/postgres.ts';
import { newOrganization, type Replicas, startReplicas } from '../../helpers/replicas.ts';
import { requestEmbeddings } from '../../helpers/requests.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhook-receiver.ts';

const limit = 40;

describe('alerts of two replica processes', () => {
  let postgres: TestPostgres;
  let replicas: Replicas;
  let receiver: WebhookReceiver;
  before(async () => {
    postgres = await openPostgres();
    receiver = await startWebhookReceiver();
    replicas = await startReplicas(await postgres.createDatabase(), 2, {
      WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    });
  });
  after(async () => {
    await replicas[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  test('raise each threshold once while both count, and send each message once to each target', async () => {
    const { gate, services } = replicas;
    const { orgId, keys } = await newOrganization(gate, { requests: limit, window: 'month' }, 1);
    const { user, password } = await gate.users.create({ email: 'ada@example.com' });
    await gate.members.add(orgId, user.userId, 'owner');
    const pages = await Promise.all(
      services.map(({ address }) => new Browser(address).signIn({ email: user.email, password })),
    );
    const path = `/v1/organizations/${orgId}/alerts`;
    const secrets = await Promise.all(
      ['one', 'two'].map(async (name, i) => {
        const { secret } = await pages[i]!.ask<{ secret: string }>(201, 'POST', `${path}/targets`, {
          kind: 'webhook',
          address: `${receiver.url}/${name}`,
        });
        return [`/hook/${name}`, secret] as const;
      }),
    );

    const answers = await Promise.all(
      Array.from({ length: limit + 10 }, (_, i) =>
        requestEmbeddings(services[i % 2]!.address, keys[0]!, `text ${i}`),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, limit);

    type Delivery = { status: string; attempts: number };
    const deliveries = async () =>
      (await pages[0]!.ask<{ data: Delivery[] }>(200, 'GET', `${path}/deliveries`)).data;
    await eventually(async () => {
      const all = await deliveries();
      return all.length === 8 && all.every(({ status }) => status === 'delivered');
    });
    assert.ok((await deliveries()).every(({ attempts }) => attempts === 1));
    for (const page of pages) {
      const { data } = await page.ask<{ data: { threshold: number }[] }>(200, 'GET', path);
      assert.deepEqual(data.map(({ threshold }) => threshold).sort(), [100, 50, 80, 90]);
    }
    for (const [hook, secret] of secrets) {
      const messages = receiver.received.filter((one) => one.path === hook);
      const thresholds = messages.map(
        ({ body, headers }) =>
          (new Webhook(secret).verify(body, headers) as { data: { threshold: number } }).data.threshold,
      );
      assert.deepEqual(thresholds.sort(), [100, 50, 80, 90]);
    }
  });
});
