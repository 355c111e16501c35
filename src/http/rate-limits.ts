import type { FastifyRequest } from 'fastify';
import type { Authenticator, Caller } from '../keys/authenticate.ts';
import { type Clock, isoSeconds } from '../lib/clock.ts';
import { remainingOf, type Standing } from '../quota/decide.ts';
import type { Ledger } from '../quota/ledger.ts';
import { windowAt } from '../quota/window.ts';
import { lookUpsOf } from './plugins/authenticate.ts';
import { isRepeated } from './plugins/single-headers.ts';

export type Headers = Readonly<Record<string, string>>;

const policyNames = {
  second: 'secondly',
  minute: 'minutely',
  hour: 'hourly',
  day: 'daily',
  month: 'monthly',
};
/** Means unlimited, so that clients can simply check `remaining > 0`. */
const unlimited = Number.MAX_SAFE_INTEGER;
const none: Headers = {};

/** Makes the rate limit headers. Every response to a request with a valid key has them, whatever its status. */
export class RateLimits {
  readonly #authenticator: Authenticator;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  // Until an organization's standing changes, its headers change only once a second.
  readonly #remembered = new WeakMap<Standing, { second: number; headers: Headers }>();

  constructor(parts: { authenticator: Authenticator; ledger: Ledger; clock: Clock }) {
    this.#authenticator = parts.authenticator;
    this.#ledger = parts.ledger;
    this.#clock = parts.clock;
  }

  /** Returns the headers for the response to a request, without a promise if they are in memory. Never fails. */
  ofRequest(request: FastifyRequest, statusCode: number): Headers | Promise<Headers> {
    const { caller } = request;
    if (caller === null) return none;
    if (caller !== undefined) return this.#ofCaller(caller, statusCode);
    const { authorization } = request.headers;
    if (authorization === undefined || isRepeated('authorization', request.raw.rawHeaders)) return none;
    return this.ofAuthorization(authorization, statusCode, lookUpsOf(request));
  }

  /** Returns the headers for a request of which only the `Authorization` header is known. */
  ofAuthorization(
    authorization: string,
    statusCode: number,
    inTurn?: <R>(find: () => Promise<R>) => Promise<R>,
  ): Headers | Promise<Headers> {
    try {
      const caller = this.#authenticator.authenticate(authorization, {}, inTurn);
      if (!(caller instanceof Promise)) return this.#ofCaller(caller, statusCode);
      return caller.then(
        (found) => this.#ofCaller(found, statusCode),
        () => none,
      );
    } catch {
      return none;
    }
  }

  #ofCaller({ orgId }: Caller, statusCode: number): Headers | Promise<Headers> {
    // A request that failed because the database is unavailable has already waited for it once.
    const standing = this.#ledger.standing(orgId, { lastKnown: statusCode === 503 });
    if (!(standing instanceof Promise)) return this.#headersFor(standing);
    return standing.then(
      (found) => this.#headersFor(found),
      () => none,
    );
  }

  #headersFor(standing: Standing): Headers {
    const nowMs = this.#clock.now();
    const second = Math.floor(nowMs / 1_000);
    const known = this.#remembered.get(standing);
    if (known?.second === second) return known.headers;
    const headers = headersOf(standing, nowMs);
    this.#remembered.set(standing, { second, headers });
    return headers;
  }
}

/** `X-RateLimit-*`, and `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers. */
function headersOf(standing: Standing, nowMs: number): Headers {
  const limit = standing.limit ?? unlimited;
  const remaining = remainingOf(standing) ?? unlimited;
  const name = policyNames[standing.window];
  const { startMs, endMs } = windowAt(standing.window, standing.startMs);
  const untilResetSeconds = Math.max(0, Math.ceil((standing.resetsAtMs - nowMs) / 1_000));
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': isoSeconds(standing.resetsAtMs),
    'ratelimit-policy': `"${name}";q=${limit};w=${(endMs - startMs) / 1_000}`,
    ratelimit: `"${name}";r=${remaining};t=${untilResetSeconds}`,
  };
}
