import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
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

/** Adds headers to a response. Never fails, and returns a promise only if it has to wait. */
export type AddHeaders = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/**
 * Returns what adds the headers of every response: the request's id, the rate limits if the request has a valid key,
 * and what prevents caching, unless the route allows it, and content sniffing. With TLS, browsers shall use nothing but
 * HTTPS.
 */
export function responseHeaders(limits: RateLimits, publicUrl: string | null): AddHeaders {
  const own: Record<string, string> = { 'x-content-type-options': 'nosniff' };
  if (publicUrl?.startsWith('https:')) own['strict-transport-security'] = `max-age=${yearSeconds}`;
  return (request, reply) =>
    thenOrNow(limits.ofRequest(request, reply.statusCode), (headers) => {
      reply.header('x-request-id', request.id).headers(headers).headers(own);
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
      const cookies = reply.getHeader('set-cookie');
      // Only a trusted proxy can say so. With PUBLIC_URL, cookies have the attribute from the start.
      if (cookies === undefined || publicUrl !== null || request.protocol !== 'https') return;
      reply.removeHeader('set-cookie');
      reply.header(
        'set-cookie',
        [cookies].flat().map((cookie) => `${cookie}; Secure`),
      );
    });
}

export function onEachResponse(app: App, add: AddHeaders): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    thenOrNow(add(request, reply), () => done(null, payload));
  });
}
