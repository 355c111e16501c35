import { PagedList } from '../lib/paged-list.ts';
import type { Destination } from './channel-kinds/kind.ts';
import type { ChannelKindName } from './channel-kinds/kinds.ts';

/** A destination of notices, such as an email address. The API and the database call it a target. */
export interface Channel extends Destination {
  readonly targetId: string;
  /** Null: a channel of the installation, which gets the notices of all organizations. */
  readonly orgId: string | null;
  readonly kind: ChannelKindName;
  /** For people. Null: they know it by its address. */
  readonly name: string | null;
  /** The id of the user or the key. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /**
   * When the owner of the address confirmed that they want the notices. Null: the service sends only the link to
   * confirm it.
   */
  readonly confirmedAt: number | null;
}

export const channelList = new PagedList('targets', {
  orders: { created: 'number' },
  defaultSort: 'created',
});

export type NewChannel = Pick<Channel, 'orgId' | 'kind' | 'address' | 'createdBy'> &
  Partial<Pick<Channel, 'name'>> & { readonly secret?: string };
