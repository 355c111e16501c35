import type { FastifyReply } from 'fastify';
import type { App } from '../app-types.ts';

const yearSeconds = 31_536_000;

/**
 * Puts on a response what browsers and caches between are to know: it is for one client alone, unless its route says otherwise, and it is
 * what its content type says. Behind TLS, also that the service is never to be asked without.
 */
export function addSecurityHeaders(reply: FastifyReply, publicUrl: string | null): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  if (publicUrl?.startsWith('https:')) reply.header('strict-transport-security', `max-age=${yearSeconds}`);
}

export function securityHeaders(app: App, publicUrl: string | null): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    addSecurityHeaders(reply, publicUrl);
    done(null, payload);
  });
}
