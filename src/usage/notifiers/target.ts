/** A destination of an organization's notices. */
export interface Target {
  readonly targetId: string;
  readonly orgId: string;
  readonly kind: 'email' | 'webhook';
  /** An e-mail address or a URL. */
  readonly address: string;
  /** A webhook's secret, encrypted; null for e-mail. */
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
