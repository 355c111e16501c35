import type { Units } from './limit.ts';

/** A request that waits for a decision. */
export interface Ask {
  readonly keyId: string;
  /** The first key of the chain of rotations that `keyId` belongs to. Its keys share their limits. */
  readonly limitsKeyId: string;
  readonly model: string;
  readonly units: Units;
  /** Whether it has to leave room for other requests, because it is a line of a batch. */
  readonly isBackground?: boolean | undefined;
}

/** Consecutive requests with the same key, model and units. */
export interface Run {
  readonly ask: Ask;
  readonly count: number;
}

/** Returns the number of requests in the runs. */
export function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

/** How many requests of a run are granted: the first ones. */
export interface RunDecision {
  readonly granted: number;
  /** The id of the limit that refuses the requests after the granted ones, if there are any. */
  readonly refusedBy: string | null;
}
