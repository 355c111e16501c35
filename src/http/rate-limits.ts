import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { type Caller, isOfOrganization } from '../keys/authenticate.ts';
import { isoSeconds } from '../lib/clock.ts';
import { thenOrNow } from '../lib/then-or-now.ts';
import { remainingOf } from '../quota/decide.ts';
import { holderOf } from '../quota/exceeded.ts';
import type { Standings } from '../quota/known-standings.ts';
import { isWindowed, type LimitStanding, type WindowedLimit } from '../quota/limit.ts';
import { type WindowKind, windowAt } from '../quota/window.ts';
import type { Services } from '../service/services.ts';
import type { Dialect, Headers } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialects.ts';
import { authorizationOf, isRepeated } from './headers.ts';
import { lookUpsOf } from './look-ups.ts';

const policyNames = {
  second: 'secondly',
  minute: 'minutely',
  hour: 'hourly',
  day: 'daily',
  month: 'monthly',
};
/**
 * Means unlimited, so that clients can simply check `remaining > 0`. It is the largest integer of a structured field
 * (RFC 9651, section 3.3.1).
 */
const unlimited = 999_999_999_999_999;
const none: Headers = {};

type Needs = Pick<Services, 'authenticator' | 'ledger'> & { config: Pick<Config, 'errorFormat'> };

/**
 * Makes the rate limit headers. Every response to a request that Node could parse, with a valid key, has them,
 * whatever its status.
 */
export class RateLimits {
  readonly #services: Needs;
  // Until an organization's standing changes, its headers change only once a second.
  readonly #remembered = new Map<Dialect, WeakMap<Standings, { second: number; headers: Headers }>>();

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Returns the headers for the response to a request, without a promise if they are in memory. Never fails. */
  ofRequest(request: FastifyRequest, statusCode: number): Headers | Promise<Headers> {
    if (request.caller === null) return none;
    try {
      const headers = this.#ofRequest(request, statusCode);
      return headers instanceof Promise ? headers.catch(() => none) : headers;
    } catch {
      return none;
    }
  }

  #ofRequest(request: FastifyRequest, statusCode: number): Headers | Promise<Headers> {
    const { caller, headers, raw } = request;
    const dialect = dialectOf(request, this.#services.config.errorFormat);
    if (caller) return this.#ofCaller(caller, statusCode, dialect);
    const authorization = authorizationOf(headers);
    if (authorization === undefined || isRepeated('authorization', raw.rawHeaders)) return none;
    const found = this.#services.authenticator.authenticate(authorization, {}, lookUpsOf(request), request);
    return thenOrNow(found, (key) =>
      isOfOrganization(key) ? this.#ofCaller(key, statusCode, dialect) : none,
    );
  }

  #ofCaller(caller: Caller, statusCode: number, dialect: Dialect): Headers | Promise<Headers> {
    // A request that failed because the database is unavailable has already waited for it once.
    const standings = this.#services.ledger.standings(caller.orgId, caller, {
      lastKnown: statusCode === 503,
    });
    return thenOrNow(standings, (found) => this.#headersFor(found, dialect));
  }

  #headersFor(standings: Standings, dialect: Dialect): Headers {
    const nowMs = this.#services.ledger.nowMs;
    const second = Math.floor(nowMs / 1_000);
    const remembered = this.#remembered.get(dialect) ?? new WeakMap();
    this.#remembered.set(dialect, remembered);
    const known = remembered.get(standings);
    if (known?.second === second) return known.headers;
    const headers = Object.assign(headersOf(standings, nowMs), dialect.rateLimits?.(standings, nowMs));
    remembered.set(standings, { second, headers });
    return headers;
  }
}

/**
 * Returns `X-RateLimit-*`, which describe the quota, and `RateLimit-Policy` and `RateLimit` of
 * draft-ietf-httpapi-ratelimit-headers, which list the quota and all limits.
 */
function headersOf({ quota, limits: all }: Standings, nowMs: number): Headers {
  // Each name once: tier, operator and organization can have set limits of one unit and window.
  const limits = [...Map.groupBy(all.filter(isWindowed), nameOf).values()].map((same) =>
    same.reduce((tightest, one) => (leftOf(one) < leftOf(tightest) ? one : tightest)),
  );
  const limit = Math.min(quota.limit ?? unlimited, unlimited);
  const remaining = Math.min(remainingOf(quota) ?? unlimited, unlimited);
  const name = policyNames[quota.window];
  const unit = quota.unit === 'requests' ? '' : `;qu="${quota.unit}"`;
  const policies = [
    `"${name}";q=${limit}${unit};w=${windowSeconds(quota)}`,
    ...limits.map((each) => `"${nameOf(each)}";q=${each.amount};qu="${each.unit}";w=${windowSeconds(each)}`),
  ];
  const rates = [
    `"${name}";r=${remaining};t=${secondsUntil(quota.resetsAtMs, nowMs)}`,
    ...limits.map((each) => `"${nameOf(each)}";r=${leftOf(each)};t=${secondsUntil(each.resetsAtMs, nowMs)}`),
  ];
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': isoSeconds(quota.resetsAtMs),
    'ratelimit-policy': policies.join(', '),
    ratelimit: rates.join(', '),
  };
}

const leftOf = ({ amount, used }: LimitStanding): number => Math.max(0, amount - used);

/** Returns a policy's name, such as `key-tokens-minutely`. */
function nameOf(limit: WindowedLimit): string {
  return `${holderOf(limit)}-${limit.unit}-${policyNames[limit.window]}`;
}

function windowSeconds({
  window,
  startMs,
}: {
  readonly window: WindowKind;
  readonly startMs: number;
}): number {
  const { endMs } = windowAt(window, startMs);
  return (endMs - startMs) / 1_000;
}

function secondsUntil(resetsAtMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((resetsAtMs - nowMs) / 1_000));
}
