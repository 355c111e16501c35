import type { FastifyRequest } from 'fastify';
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
    reply.raw.once('close', () => hold.close());
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
      load.reach(request.routeOptions.url?.endsWith('/embeddings') ? 'MAX_BODY_KB' : 'MAX_FORM_KB');
    }
    const bound = reason instanceof ServiceError && boundNames.find((name) => name === reason.bound);
    if (bound) load.reach(bound);
    done();
  });

  // Behind the hooks that find out who calls, and before the body is read.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const client = clientOf(request);
    try {
      // Status and files are for everybody at an address, such as a proxy's that is not trusted.
      if (takesTurns(request) || client.kind !== 'address') request.hold.charge(client);
      done(null, payload);
    } catch (reason) {
      done(reason as Error);
    }
  });

  // Once the body is there: a turn must not wait for a client that sends slowly.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isOfApi(request)) return done();
    const begin = (): void => {
      if (request.hold.beginWork()) done();
    };
    if (takesTurns(request)) request.hold.takeTurn(clientOf(request), begin);
    else begin();
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

function clientOf({ caller, principal, ip }: FastifyRequest): Client {
  if (caller) return { kind: 'organization', id: caller.orgId };
  if (principal?.kind === 'user') return { kind: 'user', id: principal.userId };
  return { kind: 'address', id: networkOf(ip) };
}

/** What asks the database, or checks a password. Embeddings have a queue of their own, and files are read as the client reads them. */
function takesTurns(request: FastifyRequest): boolean {
  return isOfApi(request) && request.routeOptions.url !== '/v1/embeddings';
}

/** Not status, nor files: those are handed on to other applications, and hold no more than their connection. */
function isOfApi({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.startsWith('/v1/') || url.startsWith('/auth/');
}
