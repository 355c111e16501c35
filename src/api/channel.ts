import { type Static, Type } from 'typebox';
import type { Channel as ChannelRecord } from '../alerts/channel.ts';
import { channelKindNames } from '../alerts/channel-kinds/kinds.ts';
import { withoutSecrets } from '../lib/harmless.ts';
import { Choice, Id, Nullable, PageResponse, response, Text, Timestamp, time } from './common.ts';
import { viewOf } from './view.ts';

/** A notification channel. The API's routes and fields call it a target. */
const Channel = Type.Object(
  {
    target_id: Id(),
    org_id: Nullable(Id('Null: a channel of the installation, which gets the notices of all organizations.')),
    kind: Choice(
      channelKindNames,
      '`webhook`: Standard Webhooks. `slack`, `discord`, `teams`: a message for an incoming webhook of this program, ' +
        'or of one that takes the same. A channel at one of their own addresses becomes that kind.',
    ),
    name: Nullable(Text('What people call it.')),
    address: Text(
      'An email address or a URL. For those who may not change channels, a URL’s path is left out.',
    ),
    created_by: Id('The id of the user or the key that created the channel.'),
    created_at: Timestamp,
    confirmed_at: Nullable(
      time('Null: the owner of the email address has not confirmed it yet, so nothing is sent there.'),
    ),
  },
  { title: 'AlertTarget' },
);
type Channel = Static<typeof Channel>;

const wholeView: (channel: ChannelRecord) => Channel = viewOf(Channel);

/** `mayChange`: the reader may change channels, and so may know their addresses. */
export const channelView =
  (mayChange: boolean) =>
  (channel: ChannelRecord): Channel => {
    const view = wholeView(channel);
    return mayChange ? view : { ...view, address: withoutSecrets(view.address) };
  };

export const ChannelListResponse = PageResponse(
  'AlertTargetList',
  Channel,
  'A page of the notification channels, by default oldest first.',
);

export const CreateChannelRequest = Type.Object(
  {
    kind: Channel.properties.kind,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What people call it.' })),
    address: Type.String({ maxLength: 2_000, description: 'An email address, or an http or https URL.' }),
    secret: Type.Optional(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
        description:
          'The key of a webhook: `whsec_` and 24 to 64 bytes in base64. Default: the service makes it.',
      }),
    ),
  },
  {
    title: 'NewAlertTarget',
    examples: [
      { kind: 'webhook', address: 'https://example.com/hooks/embedgate' },
      { kind: 'email', address: 'ada@example.com' },
    ],
  },
);

export const ConfirmAddressRequest = Type.Object(
  { token: Type.String({ maxLength: 200, description: 'From the link in the mail, after `#token=`.' }) },
  { title: 'ConfirmAddressRequest', examples: [{ token: '01a1967a-e980-7731-aa92-077206c46de9.…' }] },
);

export const CreatedChannelResponse = Type.Object(
  {
    ...Channel.properties,
    secret: Nullable(
      Text(
        'The key that verifies the webhook’s signatures: `whsec_` and base64. It is shown only once. Null: the ' +
          'channel is not a webhook, or was there before.',
      ),
    ),
  },
  response('CreatedAlertTarget', 'The notification channel, with its secret.'),
);
