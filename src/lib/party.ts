/** One of those that share a resource, such as an organization. */
export interface Party {
  readonly id: string;
  /** How much it gets while others wait too, relative to their weights. */
  readonly weight: number;
  /** The part of an otherwise free room that it may hold, in percent: 1 to 99. */
  readonly roomPercent: number;
}
