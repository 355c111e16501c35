import type { ServiceError } from '../../errors.ts';
import type { Standings } from '../../quota/known-standings.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';

export type Headers = Readonly<Record<string, string>>;

/** How one API states errors and rate limits, and the routes that only it has. */
export interface Dialect {
  /** Reports whether a path is the dialect's own. Absent: only the request or a setting chooses it. */
  readonly owns?: (path: string) => boolean;
  error(error: ServiceError): { readonly status: number; readonly body: object };
  /** Returns rate limit headers beside those that all responses have. */
  rateLimits?(standings: Standings, nowMs: number): Headers;
  /** Registers the routes, on an application that requires a key. */
  routes?(app: App, services: Services): void;
  /** Registers the routes that need no key. */
  publicRoutes?(app: App, services: Services): void;
}

/** Returns the headers of an error. `x-should-retry` keeps OpenAI's SDKs from retrying until a quota resets. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  // RFC 9110, section 15.5.2.
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.code === 'rate_limit_exceeded' && (error.retryAfterSeconds ?? 0) > 60) {
    headers['x-should-retry'] = 'false';
  }
  return headers;
}
