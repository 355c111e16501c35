import type { FastifyRequest } from 'fastify';
import { invalidApiKey, ServiceError } from '../../errors.ts';
import type { Authenticator, Caller } from '../../keys/authenticate.ts';
import type { App } from '../app-types.ts';

/** Every route of this scope needs an API key, looked at before the body is read. */
export function authenticate(app: App, authenticator: Authenticator): void {
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      refuseRepeatedHeaders(request.raw.rawHeaders);
      const caller = authenticator.authenticate(request.headers.authorization, request.socket);
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

const single = ['content-type', 'authorization', 'content-length'] as const;

/** Node keeps the first of a repeated header, a proxy before us may have read the last: such a request has no meaning. */
export function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  // Their names differ in length, and are seldom as long as another: comparing lengths spares most requests the rest.
  let lengths = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const bit = 1 << Math.min((rawHeaders[i] as string).length, 31);
    if (lengths & bit) {
      refuseIfRepeated(rawHeaders);
      return;
    }
    lengths |= bit;
  }
}

function refuseIfRepeated(rawHeaders: readonly string[]): void {
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  for (const name of single) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue;
    throw new ServiceError('invalid_request', `The header ${name} appears more than once`);
  }
}
