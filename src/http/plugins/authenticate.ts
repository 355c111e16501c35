import type { FastifyRequest } from 'fastify';
import { asError, invalidApiKey } from '../../errors.ts';
import {
  type Authenticator,
  type Caller,
  type Identified,
  isOfOrganization,
} from '../../keys/authenticate.ts';
import { keyMayNot } from '../../organizations/access.ts';
import type { App } from '../app-types.ts';
import { authorizationOf } from '../headers.ts';
import { lookUpsOf } from '../look-ups.ts';
import { requireAccess, requireKeyMay } from './access.ts';

/**
 * Requires an API key with the scope of the action that the route states, for every route of this scope, and checks it
 * before the body is read.
 */
export function authenticate(app: App, authenticator: Authenticator): void {
  requireAccess(app);
  app.addHook('onRequest', (request, _reply, done) => {
    const refuse = (reason: unknown): void => {
      request.caller = null;
      done(asError(reason));
    };
    try {
      const caller = authenticator.authenticate(
        authorizationOf(request.headers),
        request.socket,
        lookUpsOf(request),
        request,
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

function admit(request: FastifyRequest, found: Identified, done: (refusal?: Error) => void): void {
  try {
    if (!isOfOrganization(found)) throw keyMayNot();
    request.caller = found;
    requireKeyMay(found, request.routeOptions.config.access);
  } catch (reason) {
    done(asError(reason));
    return;
  }
  done();
}

/** Returns the caller on a route under `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw invalidApiKey();
  return request.caller;
}
