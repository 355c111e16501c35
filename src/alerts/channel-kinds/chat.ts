import { type HttpParts, httpReceivers } from './http-receivers.ts';
import { type ChannelKind, type ChannelParts, textFor } from './kind.ts';

/** Returns the body of a message. `title` and `text` are plain. */
type Body = (title: string, text: string) => object;

/** Discord refuses longer messages; the other two take more. */
const maxLength = 2_000;

/** How each program takes a message. Names in it must not turn into links or mentions there. */
const bodies = {
  // https://docs.slack.dev/messaging/formatting-message-text#escaping. Mattermost and Rocket.Chat take the same.
  slack: (title, text) => ({ text: `*${escaped(title)}*\n${escaped(text)}` }),
  // https://docs.discord.com/developers/resources/webhook#execute-webhook
  discord: (title, text) => ({
    content: `**${title}**\n${text}`.slice(0, maxLength),
    allowed_mentions: { parse: [] },
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  teams: (title, text) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
            { type: 'TextBlock', text, wrap: true },
          ],
        },
      },
    ],
  }),
} as const satisfies Record<string, Body>;

export type ChatName = keyof typeof bodies;

const hosts: Readonly<Record<ChatName, RegExp>> = {
  slack: /^hooks\.slack(-gov)?\.com$/,
  discord: /^(\w+\.)?discord(app)?\.com$/,
  teams: /\.(webhook\.office\.com|logic\.azure\.(com|us)|api\.powerplatform\.com)$/,
};

/** Returns the program whose address this is, if it is one of them. */
export function chatOf(address: string): ChatName | undefined {
  const hostname = URL.parse(address)?.hostname ?? '';
  return (Object.keys(hosts) as ChatName[]).find((name) => hosts[name].test(hostname));
}

/** Sends notices to the incoming webhooks of a program for chats. Their addresses are secret, so nothing is signed. */
export function chatChannel(
  parts: HttpParts & Pick<ChannelParts, 'nameOf' | 'publicUrl'>,
  name: ChatName,
): ChannelKind {
  const { parseUrl, post } = httpReceivers(parts);
  return {
    parseAddress: parseUrl,

    createSecret: () => null,

    async send({ payload }, { address }, signal) {
      const shown = await textFor(payload, parts).catch(() => undefined);
      if (!shown) return { delivered: false, final: false, text: 'The message could not be written' };
      const { subject, text, link } = shown;
      return post(address, JSON.stringify(bodies[name](subject, `${text}${link && `\n${link}`}`)), signal);
    },
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
