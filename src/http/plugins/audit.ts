import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import type { Actor } from '../../audit/entry.ts';
import { type Origin, withOrigin } from '../../audit/origin.ts';
import { ServiceError } from '../../errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';

type Needs = Pick<Services, 'changed' | 'stores' | 'attempts' | 'users' | 'signIn' | 'clock' | 'log'>;

const dayMs = 86_400_000;
/** Entries about refused attempts in a day: enough to notice them, too few to fill a disk. */
const mostRefusals = { organization: 100, network: 30, visitors: 1_000 };

/**
 * Adds hooks to all routes that change something or sign people in. The entries of their changes have the request's
 * origin, and refused attempts get entries too. `isCommandLine`: requests come from the command line.
 */
export function auditing(app: App, services: Needs, isCommandLine = false): void {
  const withOriginOf = <R>(request: FastifyRequest, work: () => R): R => {
    const { ip: address, id: requestId } = request;
    const actor = actorOf(request, isCommandLine);
    return withOrigin({ actor, address, requestId, at: services.clock.now() } satisfies Origin, work);
  };
  const begin = (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
    withOriginOf(request, done);
  const end = async (request: FastifyRequest, reply: FastifyReply) => {
    const error = refusalOf(request, reply);
    const orgId = organizationOf(request);
    if (reply.statusCode < 400) services.changed.add(orgId);
    if (error === undefined) return;
    await withOriginOf(request, () => addRefusal(request, error, services)).catch((err) =>
      services.log.warn({ err }, 'the audit log has no entry of a refusal'),
    );
  };
  app.addHook('onRoute', (route) => {
    if (!changesSomething(route)) return;
    route.preHandler = [begin, ...[route.preHandler ?? []].flat()];
    route.onSend = end;
  });
}

function changesSomething({ method, config = {} }: RouteOptions): boolean {
  const isData = config.access === 'embed' || config.access === 'rerank';
  return config.signsIn !== undefined || (!isData && !/GET|HEAD/.test(String(method)));
}

function actorOf({ principal, caller, params }: FastifyRequest, isCommandLine: boolean): Actor {
  if (principal?.kind === 'user')
    return { kind: isCommandLine ? 'command-line' : 'user', id: principal.userId };
  const key = principal ?? caller;
  if (key) return { kind: 'key', id: key.keyId };
  const { provider } = fieldsOf(params);
  return typeof provider === 'string' ? { kind: 'provider', id: provider } : { kind: 'visitor', id: null };
}

/** Returns the code of the error if an attempt was refused that needs an entry. */
function refusalOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { failure } = request;
  if (failure?.code === 'forbidden') return failure.code;
  if (!request.routeOptions.config.signsIn) return undefined;
  if (failure) return failure.status < 500 && failure.code !== 'invalid_request' ? failure.code : undefined;
  // After a provider has refused, the browser goes to a page that shows the error.
  const target = URL.parse(String(reply.getHeader('location')), 'http://localhost');
  return target?.searchParams.get('error') ?? undefined;
}

/** Returns the organization of a request. Null: it names none, or nobody is signed in. */
function organizationOf({ principal, caller, params }: FastifyRequest): string | null {
  const { org_id } = fieldsOf(params);
  return principal && typeof org_id === 'string' ? org_id : (caller?.orgId ?? null);
}

async function addRefusal(request: FastifyRequest, error: string, services: Needs): Promise<void> {
  const { ip, routeOptions } = request;
  const orgId = organizationOf(request);
  const network = [
    [`refusals of ${networkOf(ip)}`, mostRefusals.network],
    ['refusals of visitors', mostRefusals.visitors],
  ] as const;
  const bounds = orgId === null ? network : ([[`refusals of ${orgId}`, mostRefusals.organization]] as const);
  try {
    await services.attempts.count(bounds, dayMs);
  } catch (reason) {
    if (reason instanceof ServiceError && reason.code === 'rate_limit_exceeded') return;
    throw reason;
  }
  const operation = fieldsOf(routeOptions.schema).operationId as string | undefined;
  const action = routeOptions.config.signsIn ? 'session.refuse' : 'request.refuse';
  const userId = await userIdOf(request, services);
  await services.stores.audit.addRefusal({ action, orgId, userId, operation, error });
}

/** Returns the user whose account a sign-in names. An unknown address is not kept, because it could be a password. */
async function userIdOf(request: FastifyRequest, { users, signIn }: Needs) {
  const { signsIn } = request.routeOptions.config;
  const { email } = fieldsOf(request.body);
  if (signsIn === 'password' && typeof email === 'string') return (await users.find(email))?.userId ?? null;
  if (signsIn !== 'code') return null;
  return (await signIn.challenge(request.headers.cookie ?? ''))?.userId ?? null;
}
