import type { WindowKind } from './window.ts';

/** A window that begins after the database's clock says it is: requests are counted in it until the clock has caught up. */
export interface FutureWindow {
  readonly orgId: string;
  readonly name: string;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly used: number;
}

export interface RepairedWindow extends FutureWindow {
  /** What the window is after the repair. */
  readonly newStartMs: number;
  readonly newUsed: number;
}

/** Takes windows back that a clock which was ahead has left in the future. */
export interface WindowRepairStore {
  /** The database's clock, and the windows after it, of the `limit` organizations with any that come first. */
  future(limit: number): Promise<{ nowMs: number; windows: FutureWindow[] }>;
  /**
   * Moves what was recorded on later days to today, and the organization's windows back to the current ones, in one transaction. A month or a day
   * has then used what is recorded in it; a shorter window keeps its count.
   */
  repair(orgId: string): Promise<RepairedWindow[]>;
}
