import { ownScope, type Units, userScope } from './limit.ts';

/** Whose limits apply to a request, beside those of the organization. */
export interface Limited {
  /** The first key of the chain of rotations that the key belongs to. A person with a session: their scope. */
  readonly limitsKeyId: string;
  /** The user of the key. Null: it has none, or a person sends the request with a session. */
  readonly limitsUserId: string | null;
}

/** Returns the ids of the scopes whose limits apply to a request. See `scopeIdOf`. */
export function scopesOf({ limitsKeyId, limitsUserId }: Limited): string[] {
  const scopes = [ownScope, limitsKeyId];
  return limitsUserId === null ? scopes : [...scopes, userScope(limitsUserId)];
}

/** Returns an id of those who have the same limits. A chain of keys can have keys of several users. */
export const limitedId = ({ limitsKeyId, limitsUserId }: Limited): string => `${limitsKeyId} ${limitsUserId}`;

/** A request that waits for a decision. */
export interface Ask extends Limited {
  readonly keyId: string;
  readonly model: string;
  readonly units: Units;
  /** Whether it has to leave room for other requests, because it is a line of a batch. */
  readonly isBackground?: boolean | undefined;
}

/** Consecutive requests with the same key, model and units. */
export interface SameAsks {
  readonly ask: Ask;
  readonly count: number;
}

/** Returns the number of requests in the runs. */
export function countOf(runs: readonly SameAsks[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

/** How many requests of a run are granted: the first ones. */
export interface RunDecision {
  readonly granted: number;
  /** The id of the limit that refuses the requests after the granted ones, if there are any. */
  readonly refusedBy: string | null;
}
