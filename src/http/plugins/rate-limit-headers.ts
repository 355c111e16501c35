import type { App } from '../app-types.ts';
import type { RateLimits } from '../rate-limits.ts';

/** Puts the organization's standing on every response to a request with a valid key, on unknown paths as well. */
export function rateLimitHeaders(app: App, limits: RateLimits): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const headers = limits.ofRequest(request, reply.statusCode);
    if (!(headers instanceof Promise)) {
      reply.headers(headers);
      return done(null, payload);
    }
    headers.then((found) => {
      reply.headers(found);
      done(null, payload);
    }, done);
  });
}
