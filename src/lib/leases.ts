/** Lets only one of all replicas do something at a time. */
export interface LeaseStore {
  /**
   * Takes the lease for `holder`, for `forMs` from now. Returns the database's time, or null if another holder has the
   * lease. A holder can take its own lease again.
   */
  take(name: string, holder: string, forMs: number): Promise<number | null>;
}
