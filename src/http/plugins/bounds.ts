import { ServiceError } from '../../errors.ts';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';
import type { Connections } from '../connections.ts';

/** Bounds what a connection and an organization have in progress, and accounts for what each request holds until it is done. */
export function bounds(app: App, load: Load, connections: Connections): void {
  app.decorateRequest('hold');

  app.addHook('onRequest', (request, reply, done) => {
    const hold = load.begin();
    request.hold = hold;
    // Not a hook: those are not called for a client that goes before its response is done.
    reply.raw.once('close', () => hold.release());
    const count = connections.requestsOf(request.raw.socket);
    if (count <= load.bounds.maxRequestsPerConnection) return done();
    load.reach('MAX_REQUESTS_PER_CONNECTION');
    // Its responses are sent up to this one, and nothing more is read.
    reply.header('connection', 'close');
    done(
      new ServiceError(
        'overloaded',
        `This connection has ${load.bounds.maxRequestsPerConnection} requests in progress, which is as many as it may have`,
        { retryAfterSeconds: 1 },
      ),
    );
  });

  app.addHook('onError', (request, _reply, reason, done) => {
    if (reason instanceof ServiceError && reason.code === 'payload_too_large') {
      const isForm = request.routeOptions.bodyLimit === load.bounds.maxFormBytes;
      load.reach(isForm ? 'MAX_FORM_KB' : 'MAX_BODY_KB');
    }
    done();
  });

  // Behind the hooks that find out who calls, and before the body is read.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    try {
      if (request.caller) request.hold.charge(request.caller.orgId);
      done(null, payload);
    } catch (reason) {
      done(reason as Error);
    }
  });
}
