import type { ChannelKindName } from '../channel.ts';
import { emailChannel } from './email.ts';
import type { ChannelKind, ChannelParts } from './kind.ts';
import { webhookChannel } from './webhook.ts';

export type ChannelKinds = Readonly<Record<ChannelKindName, ChannelKind>>;

/** Opens every kind of channel, by its name. */
export function openChannelKinds(parts: ChannelParts): ChannelKinds {
  return {
    email: emailChannel(parts),
    webhook: webhookChannel(parts),
  };
}
