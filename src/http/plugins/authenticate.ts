import type { FastifyRequest } from 'fastify';
import { invalidApiKey } from '../../errors.ts';
import type { Authenticator, Caller } from '../../keys/authenticate.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { App } from '../app-types.ts';

/** Every route of this scope needs an API key, looked at before the body is read. */
export function authenticate(app: App, authenticator: Authenticator): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const refuse = (reason: unknown): void => {
      request.caller = null;
      done(reason as Error);
    };
    try {
      const caller = authenticator.authenticate(
        request.headers.authorization,
        request.socket,
        lookUpsOf(request),
      );
      if (caller instanceof Promise) {
        caller.then((found) => admit(request, found, done), refuse);
      } else {
        admit(request, caller, done);
      }
    } catch (reason) {
      refuse(reason);
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

/** Lets the clients of one network look up only so much at a time before they are known. */
export function lookUpsOf(request: FastifyRequest): <R>(find: () => Promise<R>) => Promise<R> {
  return (find) => request.hold.lookUp(networkOf(request.ip), find);
}
