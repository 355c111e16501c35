import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { lookup } from 'node:dns';
import { setGlobalProxyFromEnv } from 'node:http';
import { beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Channel } from '../../../../src/alerts/channel.ts';
import { type WebhookParts, webhookChannel } from '../../../../src/alerts/channel-kinds/webhook.ts';
import type { Delivery } from '../../../../src/alerts/deliveries.ts';
import { seal } from '../../../../src/alerts/sealed-secret.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { ForwardProxy } from '../../../helpers/forward-proxy.ts';
import { untilEnd } from '../../../helpers/until-end.ts';
import { startWebhookReceiver } from '../../../helpers/webhook-receiver.ts';

describe('webhooks', async () => {
  const key = randomBytes(32);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const payload = JSON.stringify({ type: 'test', data: { message: 'Ünïcode' } });
  const delivery: Delivery = {
    deliveryId: 'delivery_1',
    messageId: 'msg_1',
    orgId: 'org_1',
    targetId: 'target_1',
    alertId: null,
    type: 'test',
    payload,
    status: 'pending',
    attempts: 1,
    nextAttemptAt: 0,
    lastAttemptAt: null,
    lastOutcome: null,
    createdAt: 0,
  };
  const receiver = untilEnd(await startWebhookReceiver());
  beforeEach(() => receiver.answer(204));

  const targetAt = (address: string): Channel => ({
    targetId: 'target_1',
    orgId: 'org_1',
    kind: 'webhook',
    name: null,
    address,
    sealedSecret: seal(secret, key),
    createdBy: 'user_1',
    createdAt: 0,
    confirmedAt: 0,
  });
  const send = (address: string, options: Partial<WebhookParts> = {}, signal?: AbortSignal) =>
    webhookChannel({ clock: systemClock, key, mayNotifyPrivateAddresses: true, ...options }).send(
      delivery,
      targetAt(address),
      signal ?? new AbortController().signal,
    );
  const resolvingTo = (address: string) =>
    ((_name: string, _options: object, done: (...answer: unknown[]) => void) =>
      done(null, [{ address, family: 4 }])) as unknown as typeof lookup;

  test('are verified by the library of Standard Webhooks, and by no other secret', async () => {
    const outcome = await send(receiver.url);
    assert.deepEqual(outcome, { delivered: true, final: false, text: 'Status 204' });
    const { headers, body, path } = receiver.received.at(-1)!;
    assert.deepEqual([path, headers['content-type']], ['/hook', 'application/json']);
    assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(payload));
    assert.equal(headers['webhook-id'], 'msg_1');
    const other = new Webhook(randomBytes(24).toString('base64'));
    assert.throws(() => other.verify(body, headers));
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers));
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' }));
  });

  test('count as delivered only after a 2xx, and a 410 is a permanent failure', async () => {
    for (const status of [400, 404, 410, 500, 503]) {
      receiver.answer(status);
      const outcome = await send(receiver.url);
      assert.deepEqual(outcome, { delivered: false, final: status === 410, text: `Status ${status}` });
    }
  });

  test('follow no redirect', async () => {
    const seen = receiver.received.length;
    receiver.answer(307, { location: `${receiver.url}/elsewhere` });
    const outcome = await send(receiver.url);
    assert.deepEqual(outcome, { delivered: false, final: false, text: 'Status 307' });
    assert.deepEqual(
      receiver.received.slice(seen).map(({ path }) => path),
      ['/hook'],
    );
  });

  test('give up on a server that does not respond', async () => {
    receiver.answer(null);
    const seen = receiver.received.length;
    const deadline = new AbortController();
    const sent = send(receiver.url, {}, deadline.signal);
    await eventually(() => receiver.received.length > seen);
    deadline.abort();
    assert.deepEqual(await sent, { delivered: false, final: false, text: 'No response within 10 seconds' });
  });

  test('report the reason when there is no server', async () => {
    const gone = await startWebhookReceiver();
    await gone[Symbol.asyncDispose]();
    assert.deepEqual(await send(gone.url), { delivered: false, final: false, text: 'ECONNREFUSED' });
  });

  test('go to no private address, by number or by name, unless that is allowed', async () => {
    const seen = receiver.received.length;
    const { port } = new URL(receiver.url);
    const strict = { mayNotifyPrivateAddresses: false };
    const addresses = [
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://0:${port}/`,
    ];
    for (const address of addresses) {
      const outcome = await send(address, strict);
      assert.deepEqual([outcome.delivered, outcome.final], [false, true], address);
      assert.match(outcome.text, /is a private address/);
    }
    for (const address of ['127.0.0.1', '169.254.169.254', '10.1.2.3']) {
      const named = `http://hooks.example.com:${port}/`;
      const outcome = await send(named, { ...strict, resolve: resolvingTo(address) });
      assert.deepEqual(outcome, {
        delivered: false,
        final: false,
        text: 'hooks.example.com does not lead to a public address',
      });
    }
    const outcomes = ['localhost', 'internal.invalid'].map(async (host) => {
      const { text, ...outcome } = await send(`http://${host}:${port}/`, strict);
      return { ...outcome, text: text.replace(host, 'NAME') };
    });
    const [known, unknown] = await Promise.all(outcomes);
    assert.deepEqual(known, unknown);
    assert.equal(known?.text, 'NAME does not lead to a public address');
    assert.equal(receiver.received.length, seen);
  });

  test('go through WEBHOOK_PROXY only, which looks up their names', async () => {
    const { hostname, port } = new URL(receiver.url);
    await using proxy = await ForwardProxy.start({ 'hooks.example.com': Number(port) });
    const seen = receiver.received.length;
    const usual = setGlobalProxyFromEnv({ HTTP_PROXY: `http://${proxy.address}` });
    assert.equal((await send(`http://${hostname}:${port}/hook`)).text, 'Status 204');
    usual();
    assert.deepEqual([receiver.received.length, proxy.targets], [seen + 1, []]);
    const proxied = { webhookProxy: `http://${proxy.address}/`, mayNotifyPrivateAddresses: false };
    const isNotAsked = { ...proxied, resolve: resolvingTo('10.1.2.3') };
    assert.equal((await send('http://hooks.example.com/a', isNotAsked)).text, 'Status 200');
    proxy.status = 403;
    const refused = await send('https://hooks.example.com/a', isNotAsked);
    assert.deepEqual(refused, { delivered: false, final: false, text: 'The proxy returned status 403' });
    assert.match((await send('http://10.1.2.3/', proxied)).text, /is a private address/);
    assert.deepEqual(proxy.targets, ['http://hooks.example.com/a', 'hooks.example.com:443']);
  });

  test('report a secret that was sealed under another AUTH_SECRET, and do not guess', async () => {
    const outcome = await send(receiver.url, { key: randomBytes(32) });
    assert.equal(outcome.final, true);
    assert.match(outcome.text, /AUTH_SECRET has changed/);
  });

  test('keep a URL in the form in which it is called, and refuse an impossible one', () => {
    const parse = (url: string, mayNotifyPrivateAddresses: boolean) =>
      webhookChannel({ clock: systemClock, key, mayNotifyPrivateAddresses }).parseAddress(url);
    assert.equal(parse(' https://example.com/a?b=c#d ', false), 'https://example.com/a?b=c');
    assert.equal(parse('http://10.0.0.1/', true), 'http://10.0.0.1/');
    const wrong = [
      '',
      'example.com',
      'ftp://example.com/',
      'https://user:password@example.com/',
      'file:///etc',
    ];
    const hidden = ['http://0x7f000001/', 'http://2130706433/', 'http://127.1/', 'http://[::1]/'];
    const tooLong = `https://example.com/${'x'.repeat(2_000)}`;
    for (const url of [...wrong, ...hidden, 'http://10.0.0.1/', tooLong]) {
      assert.throws(() => parse(url, false), { code: 'invalid_request', param: 'address' }, url);
    }
  });
});
