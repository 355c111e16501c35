import type { ChannelName } from '../target.ts';
import type { Channel, ChannelParts } from './channel.ts';
import { emailChannel } from './email.ts';
import { webhookChannel } from './webhook.ts';

export type Channels = Readonly<Record<ChannelName, Channel>>;

/** Opens every channel, by its name. */
export function openChannels(parts: ChannelParts): Channels {
  return {
    email: emailChannel(parts),
    webhook: webhookChannel(parts),
  };
}
