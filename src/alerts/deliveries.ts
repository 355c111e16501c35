import type { Page, PageRequest } from '../lib/page.ts';
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

/** The deliveries to list. Null: all channels, or every status. */
export interface DeliveryFilter {
  readonly deliveryId?: string | undefined;
  readonly targetId: string | null;
  readonly status: DeliveryStatus | null;
}

/** Stores deliveries. All times are from the database's clock, which the replicas share. */
export interface DeliveryStore {
  /**
   * Queues a delivery. Undefined: the organization has no such channel. `too many`: it already has `maxPending` pending
   * deliveries.
   */
  enqueue(delivery: NewDelivery, options: { maxPending: number }): Promise<Delivery | 'too many' | undefined>;
  find(orgId: string, deliveryId: string): Promise<Delivery | undefined>;
  list(orgId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>>;
  /**
   * Takes deliveries that are due and counts the attempt. No other process gets them for `forMs`. If it fails halfway,
   * returns the deliveries taken so far.
   */
  claim(forMs: number, bounds: ClaimBounds): Promise<Claim[]>;
  /** Records the outcome of an attempt. Does nothing if another process has taken the delivery since. */
  settle(claimed: Delivery, settlement: Settlement): Promise<void>;
  /** Counts the deliveries of all organizations that were created after a time and failed. */
  countFailed(createdAfterMs: number): Promise<number>;
  /** Deletes some of the deliveries created before `createdBeforeMs`. Returns whether there may be more. */
  prune(createdBeforeMs: number): Promise<boolean>;
  /**
   * Deletes some finished deliveries of an organization that are not among its newest `keep`. Returns whether there may
   * be more.
   */
  pruneExcess(orgId: string, keep: number): Promise<boolean>;
}

export interface ClaimBounds {
  readonly limit: number;
  /** Maximum per organization. Each organization gets one delivery before any gets two. */
  readonly perOrganization: number;
  /** Number of deliveries that each organization already has in progress. */
  readonly taken: ReadonlyMap<string, number>;
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
