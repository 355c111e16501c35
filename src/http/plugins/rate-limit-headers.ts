import type { Clock } from '../../lib/clock.ts';
import { remainingOf, type Standing } from '../../quota/decide.ts';
import type { Ledger } from '../../quota/ledger.ts';
import { windowAt } from '../../quota/window.ts';
import type { App } from '../app-types.ts';

type Headers = Record<string, string>;

const policyNames = {
  second: 'secondly',
  minute: 'minutely',
  hour: 'hourly',
  day: 'daily',
  month: 'monthly',
};
/** Unlimited, for clients that only know `remaining > 0`. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Puts the organization's standing on every response to an authenticated request, whatever its status. */
export function rateLimitHeaders(app: App, ledger: Ledger, clock: Clock): void {
  // Between two changes of its standing, an organization's headers change once a second.
  const remembered = new WeakMap<Standing, { second: number; headers: Headers }>();

  const headersFor = (standing: Standing): Headers => {
    const nowMs = clock.now();
    const second = Math.floor(nowMs / 1_000);
    const known = remembered.get(standing);
    if (known?.second === second) return known.headers;
    const headers = headersOf(standing, nowMs);
    remembered.set(standing, { second, headers });
    return headers;
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.caller) return done(null, payload);
    // Whoever was told that the database is away has waited for it once.
    const lastKnown = reply.statusCode === 503;
    const standing = ledger.standing(request.caller.orgId, { lastKnown });
    if (!(standing instanceof Promise)) {
      reply.headers(headersFor(standing));
      return done(null, payload);
    }
    standing.then(
      (found) => {
        reply.headers(headersFor(found));
        done(null, payload);
      },
      // Nothing is known of the organization, and the answer itself says what is wrong.
      () => done(null, payload),
    );
  });
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

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
