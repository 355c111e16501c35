/** The channels, by the names that the API and the database use. channels/channels.ts opens each of them. */
export const channelNames = ['email', 'webhook'] as const;
export type ChannelName = (typeof channelNames)[number];

/** A destination of an organization's notices: an address on a channel. */
export interface Target {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: ChannelName;
  /** As the channel's `parseAddress` returned it. */
  readonly address: string;
  /** Encrypted; null if the channel needs no secret. */
  readonly sealedSecret: string | null;
  /** The user's id. */
  readonly createdBy: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export type InsertedTarget = 'done' | 'full' | 'no organization';

export interface TargetStore {
  /** Inserts nothing if the organization already has `max` targets or does not exist. */
  insert(target: Target, max: number): Promise<InsertedTarget>;
  /** Oldest first. */
  list(orgId: string): Promise<Target[]>;
  /** Deletes the target and its deliveries. False: no such target. */
  delete(orgId: string, targetId: string): Promise<boolean>;
}

export type NewTarget = Pick<Target, 'orgId' | 'kind' | 'address' | 'createdBy'>;
