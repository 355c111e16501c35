/** One of those that share a resource, such as an organization. */
export interface Party {
  readonly id: string;
  /** How much it gets while others wait too, relative to their weights. */
  readonly weight: number;
  /** The part of an otherwise free room that it may hold, in percent: 1 to 99. */
  readonly roomPercent: number;
}

/** How much of a shared resource parties get. */
export interface Shares {
  /** Returns what parties of a tier get, or those without one. */
  sharesOf(tier: string | undefined): Omit<Party, 'id'>;
}
