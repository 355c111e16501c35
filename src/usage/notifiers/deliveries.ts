import type { NoticeType } from './notice.ts';
import type { Target } from './target.ts';

/** A message to one target, and how that went. Times in milliseconds since the Unix epoch. */
export interface Delivery {
  readonly deliveryId: string;
  /** The message's own id: the same however often it is sent, so that a receiver knows it again. */
  readonly messageId: string;
  readonly orgId: string;
  readonly targetId: string;
  /** Null: a test. */
  readonly alertId: string | null;
  readonly type: NoticeType;
  /** A `Notice`, as the JSON that is signed. */
  readonly payload: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly lastAttemptAt: number | null;
  /** What the last attempt came to, in words. */
  readonly lastOutcome: string | null;
  readonly createdAt: number;
}

export type NewDelivery = Pick<
  Delivery,
  'deliveryId' | 'messageId' | 'orgId' | 'targetId' | 'alertId' | 'type' | 'payload'
>;

/** All times are those of the database's clock, which the replicas share. */
export interface DeliveryStore {
  /** Undefined: the organization has no such target. `too many`: it has `maxPending` that wait. */
  enqueue(delivery: NewDelivery, options: { maxPending: number }): Promise<Delivery | 'too many' | undefined>;
  find(orgId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** Newest first; `targetId` null: to all targets. */
  list(orgId: string, targetId: string | null, limit: number): Promise<Delivery[]>;
  /** Takes what is due, and counts the attempt: for so long it is nobody else's. When that fails halfway, returns what was taken until then. */
  claim(forMs: number, bounds: ClaimBounds): Promise<Claim[]>;
  /** Says how an attempt went. One that somebody else has taken since stays as it is. */
  settle(claimed: Delivery, settlement: Settlement): Promise<void>;
  /**
   * Forgets, of the next organizations after `afterOrgId`, what was created before, and all that is over but the newest `maxPerOrganization` deliveries.
   * Returns the organization after which to go on; null when there are no more.
   */
  prune(
    bounds: { createdBeforeMs: number; maxPerOrganization: number },
    afterOrgId: string,
  ): Promise<string | null>;
}

export interface ClaimBounds {
  readonly limit: number;
  /** Each organization gets one before any gets two, and none gets more than this. */
  readonly perOrganization: number;
  /** How many each organization has already. */
  readonly taken: ReadonlyMap<string, number>;
}

export interface Claim {
  /** As claimed: this attempt is in `attempts`. */
  readonly delivery: Delivery;
  readonly target: Target;
}

export type Settlement = Pick<Delivery, 'status' | 'attempts'> & {
  /** Until it is due again. */
  readonly waitMs: number;
  readonly lastOutcome: string;
};

/** What came of an attempt. */
export interface Outcome {
  readonly delivered: boolean;
  /** Another attempt would come to the same. */
  readonly final: boolean;
  readonly text: string;
}

/** Sends to one kind of target. */
export interface Notifier {
  /** Never rejects: what went wrong is the outcome. Breaks off at the signal. */
  send(delivery: Delivery, target: Target, signal: AbortSignal): Promise<Outcome>;
}
