/** How a request ended. `counted` and `cached`: with a result. `refused`: with a status below 500. `failed`: with another. */
export const outcomes = ['counted', 'cached', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** What is known of one request afterwards. It has no text, vector or address. */
export interface RequestEntry {
  readonly orgId: string;
  /** When the response was sent, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly entryId: string;
  /** As in the response's `X-Request-Id`, which a client can choose. */
  readonly requestId: string;
  /** Null: a person sent it with a session. */
  readonly keyId: string | null;
  readonly userId: string | null;
  /** Empty if the request failed before it named a served model. */
  readonly model: string;
  readonly status: number;
  /** The error's code, or empty. */
  readonly error: string;
  readonly outcome: Outcome;
  readonly texts: number;
  readonly tokens: number;
  readonly latencyMs: number;
  readonly queueMs: number;
  /** The limit that refused the request. */
  readonly limitId: string | null;
}

/** Requests of one hour, key, model, outcome and class of latency. */
export interface HourlyUsage {
  readonly orgId: string;
  /** Hours since the Unix epoch. */
  readonly hour: number;
  /** A key or, with a session, a user. */
  readonly keyId: string;
  readonly model: string;
  readonly outcome: Outcome;
  readonly error: string;
  readonly latencyClass: number;
  readonly requests: number;
  readonly texts: number;
  readonly tokens: number;
}
