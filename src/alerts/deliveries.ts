import { PagedList } from '../lib/paged-list.ts';
import type { Channel } from './channel.ts';
import type { Message } from './channel-kinds/kind.ts';
import type { NoticeType } from './notice.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A message to one channel, and the state of its delivery. Times are in milliseconds since the Unix epoch. */
export interface Delivery extends Message {
  readonly orgId: string;
  readonly targetId: string;
  /** Null for a test, and for what is not about an alert. */
  readonly alertId: string | null;
  readonly type: NoticeType;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly lastAttemptAt: number | null;
  /** The result of the last attempt, in words. */
  readonly lastOutcome: string | null;
  readonly createdAt: number;
}

export type NewDelivery = Pick<
  Delivery,
  'deliveryId' | 'messageId' | 'orgId' | 'targetId' | 'alertId' | 'type' | 'payload'
>;

export const deliveryList = new PagedList('deliveries', {
  orders: { created: 'number' },
  defaultSort: '-created',
});

/** The deliveries to list: by default, those to all channels and of every status. */
export interface DeliveryFilter {
  readonly deliveryId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

export interface ClaimBounds {
  readonly limit: number;
  /** Maximum for the channels of an organization, and for those of the installation. Each gets one before any gets two. */
  readonly perOrganization: number;
  /** Number of deliveries in progress to the channels of each organization, and with null to those of the installation. */
  readonly taken: ReadonlyMap<string | null, number>;
}

export interface Claim {
  /** The delivery as claimed: `attempts` includes this attempt. */
  readonly delivery: Delivery;
  readonly channel: Channel;
}

export type Settlement = Pick<Delivery, 'status' | 'attempts'> & {
  /** Delay until the delivery is due again. */
  readonly waitMs: number;
  readonly lastOutcome: string;
};
