import type { Page, PageRequest } from '../lib/page.ts';
import { PagedList } from '../lib/paged-list.ts';
import type { Destination } from './channel-kinds/kind.ts';
import type { ChannelKindName } from './channel-kinds/kinds.ts';

/** A destination of an organization's notices, such as an email address. The API and the database call it a target. */
export interface Channel extends Destination {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: ChannelKindName;
  /** For people. Null: they know it by its address. */
  readonly name: string | null;
  /** The user's id. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /**
   * When the owner of the address confirmed that they want the notices. Null: the service sends only the link to
   * confirm it.
   */
  readonly confirmedAt: number | null;
}

export type InsertedChannel = 'done' | 'full' | 'known' | 'no organization';

export const channelList = new PagedList('targets', {
  orders: { created: 'number' },
  defaultSort: 'created',
});

export interface ChannelStore {
  /** Inserts nothing if the organization already has `max` channels, or one with this address, or does not exist. */
  insert(channel: Channel, max: number): Promise<InsertedChannel>;
  list(orgId: string, page: PageRequest): Promise<Page<Channel>>;
  find(targetId: string): Promise<Channel | undefined>;
  /** Reports whether a member of the organization has verified this address. */
  isOfMember(orgId: string, address: string): Promise<boolean>;
  /** Does nothing if the channel is gone or was confirmed before. */
  confirm(targetId: string, nowMs: number): Promise<void>;
  /** Deletes the channel and its deliveries. False: no such channel. */
  delete(orgId: string, targetId: string): Promise<boolean>;
}

export type NewChannel = Pick<Channel, 'orgId' | 'kind' | 'address' | 'createdBy'> &
  Partial<Pick<Channel, 'name'>>;
