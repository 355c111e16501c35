import { chatChannel, chatOf } from './chat.ts';
import { emailChannel } from './email.ts';
import type { ChannelKind, ChannelParts } from './kind.ts';
import { webhookChannel } from './webhook.ts';

/** The kinds of channels, by the names that the API and the database use. */
export const channelKindNames = ['email', 'webhook', 'slack', 'discord', 'teams'] as const;
export type ChannelKindName = (typeof channelKindNames)[number];
export type ChannelKinds = Readonly<Record<ChannelKindName, ChannelKind>>;

/** Opens every kind of channel, by its name. */
export function openChannelKinds(parts: ChannelParts): ChannelKinds {
  return {
    email: emailChannel(parts),
    webhook: webhookChannel(parts),
    slack: chatChannel(parts, 'slack'),
    discord: chatChannel(parts, 'discord'),
    teams: chatChannel(parts, 'teams'),
  };
}

/** Returns the kind of a new channel: an address of a known program gets what that program takes. */
export function kindFor(kind: ChannelKindName, address: string): ChannelKindName {
  return (kind !== 'email' && chatOf(address)) || kind;
}
