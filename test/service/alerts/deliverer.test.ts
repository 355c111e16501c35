import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { queryObjects } from 'node:v8';
import type { ChannelKind, SendOutcome } from '../../../src/alerts/channel-kinds/kind.ts';
import { type ChannelKinds, channelKindNames } from '../../../src/alerts/channel-kinds/kinds.ts';
import { webhookChannel } from '../../../src/alerts/channel-kinds/webhook.ts';
import { ChannelSetup } from '../../../src/alerts/channel-setup.ts';
import { Deliverer } from '../../../src/alerts/deliverer.ts';
import { seal } from '../../../src/alerts/sealed-secret.ts';
import { newId } from '../../../src/lib/ids.ts';
import { SignedTokens } from '../../../src/lib/signed-tokens.ts';
import { openSqliteStores } from '../../../src/service/sqlite/open.ts';
import { TestClock } from '../../helpers/clock.ts';
import { temporaryDirectory } from '../../helpers/directory.ts';
import { organizationRow } from '../../helpers/stored.ts';
import { untilEnd } from '../../helpers/until-end.ts';
import { startWebhookReceiver } from '../../helpers/webhook-receiver.ts';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** A channel that accepts every address. */
const kind: ChannelKind = {
  parseAddress: (text) => text,
  createSecret: () => null,
  send: async () => ({ delivered: true, final: false, text: 'sent' }),
};

/** Makes every kind of channel the same. */
const allAs = (kind: ChannelKind) =>
  Object.fromEntries(channelKindNames.map((name) => [name, kind])) as ChannelKinds;

describe('a delivery', async () => {
  const clock = new TestClock('2026-11-21T03:00:00Z');
  const directory = untilEnd(temporaryDirectory());
  let orgId: string;
  let targetId: string;
  let channels: ChannelSetup;
  const stores = await openSqliteStores(directory.path, clock);
  after(async () => {
    await stores.close();
  });
  beforeEach(async () => {
    orgId = newId();
    await stores.organizations.insert(organizationRow(orgId));
    channels = new ChannelSetup({
      channels: stores.channels,
      deliveries: stores.deliveries,
      clock,
      key: Buffer.alloc(32),
      kinds: allAs(kind),
      confirmations: new SignedTokens(Buffer.alloc(32)),
      counter: { count: async () => {} },
      onDue: () => {},
    });
    const created = await channels.create({
      orgId,
      kind: 'email',
      address: 'a@example.com',
      createdBy: 'user_1',
    });
    targetId = created.channel.targetId;
  });

  const sender = (notifier: Pick<ChannelKind, 'send'>) => {
    const errors: unknown[] = [];
    const deliverer = new Deliverer({
      deliveries: stores.deliveries,
      kinds: allAs({ ...kind, ...notifier }),
      onError: (reason) => errors.push(reason),
    });
    return { deliverer, errors };
  };
  const answering = (outcome: () => SendOutcome) => {
    const sent: string[] = [];
    const notifier: Pick<ChannelKind, 'send'> = {
      async send({ deliveryId }) {
        sent.push(deliveryId);
        return outcome();
      },
    };
    return { sent, ...sender(notifier) };
  };
  const failed: SendOutcome = { delivered: false, final: false, text: 'Status 500' };
  const state = async () => {
    const [delivery] = (await stores.deliveries.list(orgId, { targetId })).data;
    return [delivery?.status, delivery?.attempts, delivery?.lastOutcome];
  };

  test('leaves nothing in memory, however many attempts are made', async () => {
    const receiver = untilEnd(await startWebhookReceiver());
    const key = Buffer.alloc(32);
    const webhook = webhookChannel({ clock, key, mayNotifyPrivateAddresses: true });
    const sealedSecret = seal(webhook.createSecret()!, key);
    const { deliverer } = sender({
      send: (delivery, channel, signal) =>
        webhook.send(delivery, { ...channel, address: receiver.url, sealedSecret }, signal),
    });
    const attempts = 40;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      await channels.test(orgId, targetId);
      deliverer.kick();
      await deliverer.idle();
    }
    assert.equal(receiver.received.length, attempts);
    // Counts after it has collected what nothing refers to.
    assert.ok(queryObjects(AbortSignal, { format: 'count' }) < attempts / 2);
    await deliverer.close();
  });

  test('is retried after longer and longer waits, and then given up', async () => {
    const { deliverer, sent, errors } = answering(() => failed);
    await channels.test(orgId, targetId);
    const waits = [
      5 * secondMs,
      5 * minuteMs,
      30 * minuteMs,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      14 * hourMs,
    ];
    const sentNow = async () => {
      deliverer.kick();
      await deliverer.idle();
      return sent.length;
    };
    assert.equal(await sentNow(), 1);
    for (const [i, waitMs] of waits.entries()) {
      clock.advance(waitMs - 1);
      assert.equal(await sentNow(), i + 1, `not before ${waitMs} ms`);
      clock.advance(1);
      assert.equal(await sentNow(), i + 2);
    }
    assert.deepEqual(await state(), ['failed', 8, 'Status 500']);
    clock.advance(100 * hourMs);
    deliverer.kick();
    await deliverer.close();
    assert.equal(sent.length, 8);
    assert.deepEqual(errors, []);
  });

  test('ends with the first success or permanent failure', async () => {
    const outcomes: SendOutcome[] = [failed, { delivered: true, final: false, text: 'Status 200' }];
    const succeeding = answering(() => outcomes.shift() ?? failed);
    await channels.test(orgId, targetId);
    for (let i = 0; i < 3; i += 1) {
      succeeding.deliverer.kick();
      await succeeding.deliverer.idle();
      clock.advance(5 * secondMs);
    }
    await succeeding.deliverer.close();
    assert.deepEqual(await state(), ['delivered', 2, 'Status 200']);
    const refused = answering(() => ({ delivered: false, final: true, text: 'a private address' }));
    await channels.test(orgId, targetId);
    clock.advance(1);
    refused.deliverer.kick();
    await refused.deliverer.close();
    assert.equal((await stores.deliveries.list(orgId, { targetId })).data[0]?.status, 'failed');
  });

  test('can be sent again under the same message id, as a delivery of its own', async () => {
    const { deliverer, sent } = answering(() => ({ delivered: true, final: false, text: 'Status 200' }));
    const first = await channels.test(orgId, targetId);
    const again = await channels.resend(orgId, first.deliveryId);
    assert.deepEqual(
      [again.messageId, again.payload, again.status, again.attempts],
      [first.messageId, first.payload, 'pending', 0],
    );
    assert.notEqual(again.deliveryId, first.deliveryId);
    deliverer.kick();
    await deliverer.close();
    assert.deepEqual(sent.sort(), [first.deliveryId, again.deliveryId].sort());
    await assert.rejects(channels.resend('org_other', first.deliveryId), { code: 'not_found' });
    await assert.rejects(channels.resend(orgId, 'delivery_none'), { code: 'not_found' });
    await assert.rejects(channels.test(orgId, 'target_none'), { code: 'not_found' });
  });

  test('is sent once, four at a time, even with two senders', async () => {
    let [now, most] = [0, 0];
    const sent: string[] = [];
    const notifier: Pick<ChannelKind, 'send'> = {
      async send({ deliveryId }) {
        sent.push(deliveryId);
        now += 1;
        most = Math.max(most, now);
        await new Promise(setImmediate);
        now -= 1;
        return { delivered: true, final: false, text: 'Status 200' };
      },
    };
    for (let i = 0; i < 45; i += 1) await channels.test(orgId, targetId);
    const senders = [sender(notifier), sender(notifier)];
    for (const { deliverer } of senders) deliverer.kick();
    await Promise.all(senders.map(({ deliverer }) => deliverer.idle()));
    assert.deepEqual([sent.length, new Set(sent).size], [45, 45]);
    assert.ok(most <= 8, `${most} at a time`);
    await Promise.all(senders.map(({ deliverer }) => deliverer.close()));
  });

  test('is refused beyond the bound on waiting ones, until some are sent', async () => {
    for (let i = 0; i < 50; i += 1) await channels.test(orgId, targetId);
    await assert.rejects(channels.test(orgId, targetId), { code: 'rate_limit_exceeded' });
    const { deliverer } = answering(() => ({ delivered: true, final: false, text: 'Status 200' }));
    deliverer.kick();
    await deliverer.idle();
    await channels.test(orgId, targetId);
    deliverer.kick();
    await deliverer.close();
  });

  test('that a shutdown interrupts is due again, without counting the attempt', async () => {
    const isSending = Promise.withResolvers<void>();
    const { deliverer } = sender({
      async send(_delivery, _target, signal) {
        isSending.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return failed;
      },
    });
    await channels.test(orgId, targetId);
    deliverer.kick();
    await isSending.promise;
    await deliverer.close();
    assert.deepEqual(await state(), ['pending', 0, 'Interrupted by a shutdown']);
    const next = answering(() => ({ delivered: true, final: false, text: 'Status 200' }));
    next.deliverer.kick();
    await next.deliverer.close();
    assert.deepEqual(await state(), ['delivered', 1, 'Status 200']);
  });
});
