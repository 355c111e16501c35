import { randomUUID } from 'node:crypto';
import type { App } from '../app-types.ts';

/** What a caller may name a request: it comes back in a header and stands in the log. */
const acceptable = /^[\w.:-]{1,64}$/;

/** The caller's own `x-request-id` where it is one, else a new one. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

/** Puts the request's id on its response. */
export function requestIdHeader(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
