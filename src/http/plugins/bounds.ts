import type { FastifyRequest, preHandlerHookHandler, preParsingHookHandler } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import { Hold } from '../../load/hold.ts';
import { boundNames, type Client, type Load } from '../../load/load.ts';
import type { App } from '../app-types.ts';
import type { Connections } from '../connections.ts';

const minCountedBytes = 16 << 10;

/** Bounds what a connection and a client have in progress, and accounts for what each request holds until it is done. */
export function bounds(app: App, load: Load, connections: Connections): void {
  app.decorateRequest('hold');

  app.addHook('onRequest', (request, reply, done) => {
    const hold = new Hold(load);
    request.hold = hold;
    // Not a hook: those are not called for a client that goes before its response is done.
    reply.raw.on('close', () => hold.close());
    if (!connections.isBeyondBound(request.raw)) return done();
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
      load.reach(request.routeOptions.url?.endsWith('/embeddings') ? 'MAX_BODY_KB' : 'MAX_FORM_KB');
    }
    const bound = reason instanceof ServiceError && boundNames.find((name) => name === reason.bound);
    if (bound) load.reach(bound);
    done();
  });

  // Routes get hooks of their own, because asking each request for its route costs time. Requests for status and files get none: other
  // applications respond to them, and they hold no more than their connection.
  app.addHook('onRoute', (route) => {
    if (!/^\/(v1|auth)\//.test(route.url)) return;
    // Embeddings have a queue of their own. Everything else asks the database, or checks a password.
    const takesTurns = route.url !== '/v1/embeddings';
    route.preParsing = [charge, ...hooksOf(route.preParsing)];
    route.preHandler = [takesTurns ? beginInTurn : begin, ...hooksOf(route.preHandler)];
  });

  app.addHook('onSend', (request, _reply, payload, done) => {
    request.hold.endWork();
    try {
      const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
      // Smaller ones are bounded by their number.
      if (bytes >= minCountedBytes) request.hold.addResponse(bytes);
      done(null, payload);
    } catch (reason) {
      done(reason as Error);
    }
  });
}

/** Behind the hooks that find out who calls, and before the body is read. */
const charge: preParsingHookHandler = (request, _reply, payload, done) => {
  try {
    request.hold.charge(clientOf(request));
    done(null, payload);
  } catch (reason) {
    done(reason as Error);
  }
};

const begin: preHandlerHookHandler = (request, _reply, done) => {
  if (request.hold.beginWork()) done();
};

/** Once the body is there: a turn must not wait for a client that sends slowly. */
const beginInTurn: preHandlerHookHandler = (request, _reply, done) => {
  request.hold.takeTurn(clientOf(request), () => {
    if (request.hold.beginWork()) done();
  });
};

function hooksOf<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}

function clientOf(request: FastifyRequest): Client {
  const { caller, principal } = request;
  if (caller) return { kind: 'organization', id: caller.orgId };
  if (principal?.kind === 'user') return { kind: 'user', id: principal.userId };
  // Behind proxies, to find out the address takes as long as all else here.
  return { kind: 'address', id: networkOf(request.ip) };
}
