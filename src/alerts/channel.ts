import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Destination } from './channel-kinds/kind.ts';
import type { ChannelKindName } from './channel-kinds/kinds.ts';

/** A destination of an organization's notices, such as an email address. The API and the database call it a target. */
export interface Channel extends Destination {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: ChannelKindName;
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
