import type {
  FastifyRequest,
  preHandlerHookHandler,
  preParsingHookHandler,
  preSerializationHookHandler,
} from 'fastify';
import { asError, ServiceError } from '../../errors.ts';
import type { Caller } from '../../keys/authenticate.ts';
import { networkOf } from '../../lib/network-of.ts';
import { runInTurn } from '../../load/event-loop.ts';
import { Hold } from '../../load/hold.ts';
import { boundNames, type Client, type Load, nameOf } from '../../load/load.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Ledger } from '../../quota/ledger.ts';
import { withSender } from '../../users/passwords.ts';
import type { App } from '../app-types.ts';
import { isAction } from './access.ts';

const minCountedBytes = 16 << 10;

/**
 * Limits the requests in progress of each client, accounts for the resources that each request holds, and counts and
 * times every response by its route's pattern: URLs would make endless time series.
 */
export function bounds(
  app: App,
  load: Load,
  { metrics, ledger }: { readonly metrics: Pick<Metrics, 'observeRequest'>; readonly ledger: Ledger },
): void {
  app.decorateRequest('hold');

  app.addHook('onRequest', (request, reply, done) => {
    const hold = new Hold(load);
    request.hold = hold;
    // Fastify's hooks are not called if the client disconnects before its response has ended.
    reply.raw.on('close', () => {
      hold.close();
      if (!reply.raw.writableFinished) return;
      metrics.observeRequest(request.routeOptions.url ?? 'unknown', reply.statusCode, hold.ageMs / 1_000);
    });
    done();
  });

  app.addHook('onError', (request, _reply, reason, done) => {
    const bound = reason instanceof ServiceError && boundNames.find((name) => name === reason.bound);
    if (bound) load.reach(bound, nameOf(clientOf(request)));
    done();
  });

  // Routes get their own hooks, because looking up each request's route takes time.
  app.addHook('onRoute', (route) => {
    const { access, waitsFor = access ? 'work' : 'file' } = route.config ?? {};
    if (waitsFor === 'nothing') return;
    const wait = { work: beginInTurn, model: begin, file: beginInFileTurn }[waitsFor];
    route.preHandler = [wait, ...hooksOf(route.preHandler)];
    if (waitsFor === 'file') return;
    route.preParsing = [chargeIn(load, ledger), ...hooksOf(route.preParsing)];
    // What an organization has or has sent decides how long the response is.
    if (isAction(access)) route.preSerialization = [serializeInTurn, ...hooksOf(route.preSerialization)];
  });

  app.addHook('onSend', (request, _reply, payload, done) => {
    request.hold.endWork();
    try {
      const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
      // The number of requests already bounds smaller responses.
      if (bytes >= minCountedBytes) request.hold.addResponse(bytes);
      done(null, payload);
    } catch (reason) {
      done(asError(reason));
    }
  });
}

/** Runs after the hooks that identify the caller, and before the body is read. */
const chargeIn =
  (load: Load, ledger: Ledger): preParsingHookHandler =>
  (request, _reply, payload, done) => {
    const client = clientOf(request);
    if (request.caller && load.isFull(client)) {
      longestWaitMs(ledger, request.caller)
        .then((maxWaitMs) => request.hold.chargeInTime(client, maxWaitMs))
        .then(() => done(null, payload), done);
      return;
    }
    try {
      request.hold.charge(client);
      done(null, payload);
    } catch (reason) {
      done(asError(reason));
    }
  };

/** Returns how long the limits of a key let its requests wait. */
async function longestWaitMs(ledger: Ledger, caller: Caller): Promise<number> {
  const { limits } = await ledger.standings(caller.orgId, caller, { lastKnown: true });
  return Math.max(0, ...limits.map(({ maxWaitMs }) => maxWaitMs ?? 0));
}

const begin: preHandlerHookHandler = (request, _reply, done) => {
  if (request.hold.beginWork()) done();
};

/** Runs after the body has arrived, so that no turn waits for a slow client. */
const beginInTurn: preHandlerHookHandler = (request, _reply, done) => {
  request.hold.takeTurn(clientOf(request), () => {
    if (request.hold.beginWork()) done();
  });
};

const serializeInTurn: preSerializationHookHandler<unknown> = (request, _reply, payload, done) => {
  request.hold.takeLoopTurn().then((turn) => runInTurn(turn, () => done(null, payload)), done);
};

/** Files need no key, so their turns are those of the network. */
const beginInFileTurn: preHandlerHookHandler = (request, _reply, done) => {
  request.hold.takeFileTurn(networkOf(request.ip), done);
};

function hooksOf<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}

function clientOf(request: FastifyRequest): Client {
  const { caller, principal } = request;
  if (caller) return { kind: 'organization', id: caller.orgId, tier: caller.tier };
  if (principal) return { kind: 'user', id: principal.kind === 'user' ? principal.userId : principal.keyId };
  // Comes last: behind proxies, determining the address takes as long as everything else here.
  return { kind: 'address', id: networkOf(request.ip) };
}

/** Lets the passwords of this scope's requests take turns by the network that they come from. */
export function passwordSender(app: App): void {
  app.addHook('preHandler', (request, _reply, done) =>
    withSender({ network: networkOf(request.ip), isKnown: false }, done),
  );
}
