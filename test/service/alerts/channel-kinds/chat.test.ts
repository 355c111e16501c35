import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type ChatName, chatChannel } from '../../../../src/alerts/channel-kinds/chat.ts';
import { kindFor } from '../../../../src/alerts/channel-kinds/kinds.ts';
import { type Notice, newNotice } from '../../../../src/alerts/notice.ts';

type Reply = readonly [status: number, body: string];
type Fields = Record<string, unknown>;

/** What each program's incoming webhook does with a body, by its published rules. */
const receivers: Readonly<Record<ChatName, (body: Fields, length: number) => Reply>> = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
  slack({ text, ...others }) {
    if (Object.keys(others).length > 0) return [400, 'invalid_payload'];
    if (typeof text !== 'string' || text === '') return [400, 'no_text'];
    // An unescaped < begins a link or a mention, such as <!channel>.
    return /<|>|&(?!amp;|lt;|gt;)/.test(text) || text.length > 40_000
      ? [400, 'invalid_payload']
      : [200, 'ok'];
  },
  // https://docs.discord.com/developers/resources/webhook#execute-webhook
  discord({ content, allowed_mentions: mentions }) {
    if (typeof content !== 'string' || content === '')
      return [400, '{"message":"Cannot send an empty message"}'];
    if (content.length > 2_000) return [400, '{"content":["Must be 2000 or fewer in length."]}'];
    assert.deepEqual(mentions, { parse: [] });
    return [204, ''];
  },
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  teams({ type, attachments }, length) {
    const [card, ...others] = attachments as { contentType: string; content: Fields }[];
    const isCard = card?.contentType === 'application/vnd.microsoft.card.adaptive';
    if (type !== 'message' || !isCard || others.length > 0 || length > 28 * 1024) return [400, 'Bad payload'];
    const { type: of, version, body } = card.content;
    assert.deepEqual([of, version], ['AdaptiveCard', '1.4']);
    for (const block of body as Fields[])
      assert.deepEqual([block.type, typeof block.text], ['TextBlock', 'string']);
    return [202, ''];
  },
};

const of = { org_id: 'org', alert_id: 'alert', used: 80, limit: 100, unit: 'requests', window: 'day' };
const notices: readonly [Notice['type'], Partial<Notice['data']>][] = [
  ['test', { message: 'This is a test' }],
  ['quota.threshold_reached', { threshold: 100 }],
  ['quota.exhaustion_projected', { exhausts_at: '2026-11-30T00:00:00.000Z' }],
  ['limit.threshold_reached', { threshold: 80, name: '<!channel> & @everyone https://example.com/' }],
  ['key.expires_soon', { name: '<b>'.repeat(2_000), expires_at: '2026-12-11T00:00:00.000Z' }],
  ['batch.completed', { id: 'batch_1', request_counts: { total: 3, completed: 2, failed: 1 } }],
  ['limit.threshold_reached', { threshold: 80, unit: 'cost', used: 20_000_000, limit: 25_000_000 }],
];

describe('messages for chats', async () => {
  for (const name of ['slack', 'discord', 'teams'] as const) {
    test(`are accepted by an incoming webhook with the rules of ${name}`, async () => {
      const bodies: string[] = [];
      const server = createServer(async (request, response) => {
        const body = await text(request);
        bodies.push(body);
        assert.match(request.headers['content-type'] ?? '', /^application\/json/);
        const [status, reply] = receivers[name](JSON.parse(body), Buffer.byteLength(body));
        response.writeHead(status).end(reply);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const channel = chatChannel(
        {
          mayNotifyPrivateAddresses: true,
          nameOf: async () => 'Acme <!here>',
          publicUrl: 'https://embedgate.example.com',
        },
        name,
      );
      const to = { address: `http://127.0.0.1:${port}/hook`, sealedSecret: channel.createSecret() };
      for (const [type, data] of notices) {
        const { payload, messageId } = newNotice(type, { ...of, ...data }, 0);
        const message = { payload, messageId, deliveryId: 'delivery' };
        const outcome = await channel.send(message, to, new AbortController().signal);
        assert.equal(outcome.delivered, true, `${type}: ${outcome.text}`);
      }
      assert.match(bodies[1]!, /100 % of the quota is used/);
      assert.match(
        bodies[4]!,
        /expires on 2026-12-11.*https:\/\/embedgate\.example\.com\/organizations\/org/,
      );
      assert.match(bodies[6]!, /A cost of 20 of 25 is used in this day/);
      assert.doesNotMatch(bodies[3]!, /https:\/\/example\.com/);
      server.close();
    });
  }

  test('that can’t be written now are a failed attempt', async () => {
    const nameOf = () => Promise.reject(new Error('the database is away'));
    const channel = chatChannel({ mayNotifyPrivateAddresses: true, nameOf, publicUrl: null }, 'slack');
    const message = { ...newNotice('test', of, 0), deliveryId: 'delivery' };
    const to = { address: 'http://127.0.0.1:9/hook', sealedSecret: null };
    const outcome = await channel.send(message, to, new AbortController().signal);
    assert.deepEqual([outcome.delivered, outcome.final], [false, false]);
  });

  test('are chosen by the address of a webhook, and by no address that only looks like one', () => {
    const chosen = {
      'https://hooks.slack.com/services/T0/B0/x': 'slack',
      'https://discord.com/api/webhooks/1/x': 'discord',
      'https://discordapp.com/api/webhooks/1/x': 'discord',
      'https://ptb.discord.com/api/webhooks/1/x': 'discord',
      'https://acme.webhook.office.com/webhookb2/x': 'teams',
      'https://prod-1.westeurope.logic.azure.com:443/workflows/x': 'teams',
      'https://a.b.environment.api.powerplatform.com/powerautomate/x': 'teams',
      'https://example.com/hooks.slack.com': 'webhook',
      'https://hooks.slack.com.example.com/': 'webhook',
      'https://notdiscord.com/api': 'webhook',
    };
    for (const [address, kind] of Object.entries(chosen))
      assert.equal(kindFor('webhook', address), kind, address);
    assert.equal(kindFor('slack', 'https://mattermost.example.com/hooks/x'), 'slack');
    assert.equal(kindFor('email', 'https://hooks.slack.com/services/x'), 'email');
  });
});
