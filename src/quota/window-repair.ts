import type { WindowKind } from './window.ts';

/**
 * A window that starts later than the database's current time. Requests are counted in it until the clock catches up.
 */
export interface FutureWindow {
  readonly orgId: string;
  readonly name: string;
  /** The limit whose window it is. Null: the quota's. */
  readonly limitId: string | null;
  readonly window: WindowKind;
  readonly startMs: number;
  readonly used: number;
}

export interface RepairedWindow extends FutureWindow {
  /** The window's start and count after the repair. */
  readonly newStartMs: number;
  readonly newUsed: number;
}

/** Repairs windows that a fast clock has left in the future. */
export interface WindowRepairStore {
  /** Returns the database's time and the future windows of the first `limit` organizations that have any. */
  future(limit: number): Promise<{ nowMs: number; windows: FutureWindow[] }>;
  /**
   * Moves usage recorded on later days to today, and the organization's windows back to the current ones, in one
   * transaction. A month or day window of the quota then counts the usage recorded in it;
   * other windows keep their counts.
   */
  repair(orgId: string): Promise<RepairedWindow[]>;
}
