import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import type { Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';

/** Bounds what a connection and an organization have in progress, and accounts for what each request holds until it is done. */
export function bounds(app: App, load: Load): void {
  const perConnection = new WeakMap<Socket, number>();
  app.decorateRequest('hold');

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const count = (perConnection.get(socket) ?? 0) + 1;
    perConnection.set(socket, count);
    if (count > load.bounds.maxRequestsPerConnection + 1) {
      // The one before it gets the last response of this connection, so that this one holds nothing and waits for nothing.
      reply.hijack();
      return;
    }
    const hold = load.begin();
    request.hold = hold;
    // Not a hook: those are not called for a client that goes before its response is done.
    reply.raw.once('close', () => {
      perConnection.set(socket, perConnection.get(socket)! - 1);
      hold.release();
    });
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

/** Accounts for a response that is about to be made. Throws `rate_limit_exceeded` or `overloaded` where there is no room for it. */
export function expectResponse(request: FastifyRequest, bytes: number): void {
  request.hold.add(bytes);
}
