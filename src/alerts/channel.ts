import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';

/** The kinds of channels, by the names that the API and the database use. channel-kinds/kinds.ts opens each of them. */
export const channelKindNames = ['email', 'webhook'] as const;
export type ChannelKindName = (typeof channelKindNames)[number];

/** A destination of an organization's notices, such as an email address. The API and the database call it a target. */
export interface Channel {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: ChannelKindName;
  /** As the kind's `parseAddress` returned it. */
  readonly address: string;
  /** Encrypted; null if the kind needs no secret. */
  readonly sealedSecret: string | null;
  /** The user's id. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export type InsertedChannel = 'done' | 'full' | 'no organization';

export const channelList = new PagedList('targets', {
  orders: { created: ['number', 'text'] },
  defaultSort: 'created',
});

export interface ChannelStore {
  /** Inserts nothing if the organization already has `max` channels or does not exist. */
  insert(channel: Channel, max: number): Promise<InsertedChannel>;
  list(orgId: string, page: PageRequest): Promise<Page<Channel>>;
  /** Deletes the channel and its deliveries. False: no such channel. */
  delete(orgId: string, targetId: string): Promise<boolean>;
}

export type NewChannel = Pick<Channel, 'orgId' | 'kind' | 'address' | 'createdBy'>;
