import type { FastifyRequest } from 'fastify';
import { invalidApiKey, ServiceError } from '../../errors.ts';
import type { Authenticator, Caller } from '../../keys/authenticate.ts';
import type { App } from '../app-types.ts';

/** Every route of this scope needs an API key, looked at before the body is read. */
export function authenticate(app: App, authenticator: Authenticator): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      refuseRepeatedHeaders(request.raw.rawHeaders);
      const caller = authenticator.authenticate(request.headers.authorization);
      if (caller instanceof Promise) {
        caller.then((found) => admit(request, found, done), done);
      } else {
        admit(request, caller, done);
      }
    } catch (reason) {
      done(reason as Error);
    }
  });
}

function admit(request: FastifyRequest, caller: Caller, done: () => void): void {
  request.caller = caller;
  done();
}

/** The caller of a route under `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw invalidApiKey();
  return request.caller;
}

const single = new Set(['authorization', 'content-type', 'content-length']);

/** Node keeps the first of a repeated header, a proxy before us may have read the last: such a request has no meaning. */
function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  let seen = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // Only names of these lengths can be among them; lower-casing every name would cost more than the rest.
    if (name.length < 12 || name.length > 14) continue;
    const lower = name.toLowerCase();
    if (!single.has(lower)) continue;
    if (seen.includes(lower)) {
      throw new ServiceError('invalid_request', `The header ${lower} appears more than once`);
    }
    seen += ` ${lower}`;
  }
}
