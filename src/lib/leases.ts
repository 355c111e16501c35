/** Lets one of all replicas do something at a time. */
export interface LeaseStore {
  /**
   * Returns the time by the database's clock when the lease is `holder`'s from now on for so long, and null when another holds it. Its holder may
   * take it again.
   */
  take(name: string, holder: string, forMs: number): Promise<number | null>;
}
