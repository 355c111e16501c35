import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { thenOrNow } from '../../lib/then-or-now.ts';
import type { App } from '../app-types.ts';
import type { RateLimits } from '../rate-limits.ts';

const yearSeconds = 31_536_000;
const validRequestId = /^[\w.:-]{1,64}$/;

/** Returns the caller's `x-request-id` if it is valid, otherwise a new id. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

export function requestIdHeader(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}

/** Adds the rate limit headers to every response to a request with a valid key, including those for unknown paths. */
export function rateLimitHeaders(app: App, limits: RateLimits): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    thenOrNow(limits.ofRequest(request, reply.statusCode), (headers) => {
      reply.headers(headers);
      done(null, payload);
    });
  });
}

export function securityHeaders(app: App, publicUrl: string | null): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    addSecurityHeaders(reply, publicUrl);
    const cookies = reply.getHeader('set-cookie');
    // Only a trusted proxy can say so. With PUBLIC_URL, cookies have the attribute from the start.
    if (cookies !== undefined && publicUrl === null && request.protocol === 'https') {
      reply.removeHeader('set-cookie');
      reply.header(
        'set-cookie',
        [cookies].flat().map((cookie) => `${cookie}; Secure`),
      );
    }
    done(null, payload);
  });
}

/**
 * Prevents caching, unless the route allows it, and content sniffing. With TLS, makes browsers use nothing but HTTPS.
 */
export function addSecurityHeaders(reply: FastifyReply, publicUrl: string | null): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  if (publicUrl?.startsWith('https:')) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
}
