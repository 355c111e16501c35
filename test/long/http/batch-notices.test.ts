import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { listeningApp } from '../../helpers/app.ts';
import { batchClient, jsonl, line } from '../../helpers/batch-client.ts';
import { Browser } from '../../helpers/browser.ts';
import { eventually } from '../../helpers/eventually.ts';
import { mailedToken, startMailServer } from '../../helpers/mail-server.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

interface Event {
  id: string;
  object: string;
  created_at: number;
  type: string;
  data: { id: string; request_counts: object };
}

describe('notices of batches', async () => {
  const mail = untilEnd(await startMailServer());
  const receiver = untilEnd(await startWebhookReceiver());
  const app = untilEnd(
    await listeningApp({
      environment: {
        SMTP_URL: mail.url,
        PUBLIC_URL: 'https://embed.example.com',
        WEBHOOK_PRIVATE_ADDRESSES: 'allow',
      },
    }),
  );
  const client = batchClient(app);
  const page = new Browser(app.address, 'https://embed.example.com');
  await page.signIn(app.administrator);
  const path = `/v1/organizations/${app.orgId}/alerts/targets`;
  const address = { kind: 'webhook', address: receiver.url };
  const { secret } = await page.ask<{ secret: string }>(201, 'POST', path, address);
  await page.ask(201, 'POST', path, { kind: 'email', address: 'ada@example.com' });
  const token = await mailedToken(mail, 'ada@example.com');
  await page.ask(204, 'POST', '/v1/alert-targets/confirm', { token });

  it('a webhook and a mail say once that a batch has completed or failed, and the webhook has the shape of OpenAI’s events', async () => {
    const good = await client.create(jsonl([line('1', { input: 'a cat' })]));
    const bad = await client.create('no JSON');
    await eventually(() => receiver.received.length === 2);
    const events = receiver.received.map(
      ({ body, headers }) => new Webhook(secret).verify(body, headers) as Event,
    );
    const byType = events.toSorted((a, b) => (a.type < b.type ? -1 : 1));
    assert.deepEqual(
      byType.map(({ type, object, data }) => [type, object, data.id, data.request_counts]),
      [
        ['batch.completed', 'event', good.id, { total: 1, completed: 1, failed: 0 }],
        ['batch.failed', 'event', bad.id, { total: 0, completed: 0, failed: 0 }],
      ],
    );
    assert.match(byType[0]!.id, /^evt_[0-9a-f]{32}$/);
    assert.ok(Math.abs(byType[0]!.created_at - Date.now() / 1_000) < 600);

    const mails = () => mail.mails.filter(({ content }) => /Subject: .*: a batch/.test(content));
    await eventually(() => mails().length === 2);
    assert.ok(mails().some(({ content }) => /a batch has failed/.test(content)));
    assert.equal(receiver.received.length, 2);
  });
});
