import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidApiKey, notSignedIn } from '../../errors.ts';
import { isOfOrganization } from '../../keys/authenticate.ts';
import { nilId, storedId } from '../../lib/ids.ts';
import { keyMayNot, type Principal, type SessionUser } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { mayHaveSession } from '../../users/lazy-sign-in.ts';
import type { App } from '../app-types.ts';
import { authorizationOf } from '../headers.ts';
import { lookUpsOf } from '../look-ups.ts';
import { refuseForeignOrigin } from '../origin.ts';

const ended = 'There is no session, or it has ended. Sign in again.';

type Needs = Pick<Services, 'authenticator' | 'signIn' | 'config'>;

/**
 * Requires an API key or a session for every route of this scope, unless all requests are the operator's. If a request
 * has a key, its session is ignored.
 */
export function identify(app: App, services: Needs, operator?: SessionUser): void {
  if (operator) {
    app.addHook('onRequest', async (request) => {
      request.principal = { kind: 'user', ...operator };
    });
    return;
  }
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await principalOf(request, reply, services);
  });
  app.addHook('preHandler', async (request, reply) => {
    if (mayHaveChanged(request)) request.principal = await principalOf(request, reply, services);
  });
}

/**
 * Reports whether a person sent a body. It can take a minute to arrive, and meanwhile their session or membership may
 * end.
 */
export const mayHaveChanged = ({ principal, body }: FastifyRequest): boolean =>
  principal?.kind === 'user' && body !== undefined;

async function principalOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, signIn, config }: Needs,
): Promise<Principal> {
  const { cookie } = request.headers;
  const authorization = authorizationOf(request.headers);
  if (authorization !== undefined) {
    try {
      const key = await authenticator.authenticate(
        authorization,
        request.socket,
        lookUpsOf(request),
        request,
      );
      request.caller = isOfOrganization(key) ? key : undefined;
      return { kind: 'key', ...key };
    } catch (reason) {
      request.caller = null;
      throw reason;
    }
  }
  if (!mayHaveSession(cookie)) throw isOfDashboard(request.headers) ? notSignedIn(ended) : invalidApiKey();
  refuseForeignOrigin(request, config.publicUrl);
  const found = await lookUpsOf(request)(() => signIn.session(cookie));
  if (!found) throw notSignedIn(ended);
  if (found.setCookies.length > 0) reply.header('set-cookie', [...found.setCookies]);
  return { kind: 'user', ...found.user };
}

/** Reports whether the dashboard sent a request. Browsers drop the cookie of a session that has ended. */
const isOfDashboard = ({ cookie, 'sec-fetch-site': site }: FastifyRequest['headers']): boolean =>
  site === 'same-origin' || cookie?.includes('embedgate.') === true;

/** Returns the sender of a request, on a route under `identify`. */
export function principalOn(request: FastifyRequest): Principal {
  if (!request.principal) throw invalidApiKey();
  return request.principal;
}

/** Returns the user who sent the request. Throws `forbidden` for a key. */
export function userOn(request: FastifyRequest): Extract<Principal, { kind: 'user' }> {
  const principal = principalOn(request);
  if (principal.kind !== 'user') throw keyMayNot();
  return principal;
}

type Fields = Record<string, unknown>;
/** Clients choose some identifiers, and those of files and batches are as in OpenAI's API. */
const ownFormats = new Set(['request_id', 'file_id', 'batch_id', 'external_id']);

/**
 * Converts the identifiers in a request's path and query to the form that the database stores. Other text becomes the
 * nil UUID, so that it gets the same response as an unknown identifier and never reaches a database.
 */
export function identifiers(app: App): void {
  app.addHook<{ Params: Fields; Querystring: Fields }>('onRequest', (request, _reply, done) => {
    for (const fields of [request.params, request.query]) {
      for (const [name, text] of Object.entries(fields)) {
        if (ownFormats.has(name)) continue;
        if (!name.endsWith('_id') || typeof text !== 'string') continue;
        // A key's user can be any text.
        const isUser = name === 'user_id' && fields === request.query && !text.includes('\0');
        fields[name] = storedId(text) ?? (isUser ? text : nilId);
      }
    }
    done();
  });
}
