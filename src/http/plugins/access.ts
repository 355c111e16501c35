import type { FastifyRequest } from 'fastify';
import { type Action, may, requireMay, type Standing } from '../../accounts/access.ts';
import { notSignedIn, ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { Access, App } from '../app-types.ts';
import { commonErrors, ErrorBody } from '../schemas/common.ts';
import { lookUpsOf } from './authenticate.ts';
import { principalOn } from './identify.ts';

type Needs = Pick<Services, 'members' | 'organizations'>;

/**
 * Every route of this scope says in its `config.access` who it is for; one that does not say so stops the start. Who may not is
 * refused before the body is read, and the route's description says who may.
 */
export function access(app: App, services: Needs): void {
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (method === 'HEAD') return;
    if (!config?.access) throw new Error(`${method} ${url} does not say who it is for`);
    if (schema) Object.assign(schema, describedAccess(config.access, schema));
  });
  app.addHook('onRequest', async (request) => {
    request.standing = await admitted(request, services);
  });
}

/** What the caller is to the organization, on a route about one. */
export function standingOn(request: FastifyRequest): Standing {
  return request.standing;
}

async function admitted(request: FastifyRequest, services: Needs): Promise<Standing> {
  const { access: wanted } = request.routeOptions.config;
  const principal = principalOn(request);
  const isAdministrator = principal.kind === 'user' && principal.isAdmin;
  if (wanted === undefined || wanted === 'identified') return 'stranger';
  if (wanted === 'user' || wanted === 'administrator') {
    if (principal.kind !== 'user') throw notSignedIn();
    if (wanted === 'administrator' && !isAdministrator) {
      throw new ServiceError('forbidden', 'Only an administrator may do this');
    }
    return 'stranger';
  }
  const { org_id } = request.params as { org_id: string };
  const standing = await standingOf(request, org_id, services);
  requireMay(standing, wanted);
  return standing;
}

async function standingOf(
  request: FastifyRequest,
  orgId: string,
  { members, organizations }: Needs,
): Promise<Standing> {
  const principal = principalOn(request);
  if (principal.kind === 'key') return principal.orgId === orgId ? 'key' : 'stranger';
  return lookUpsOf(request)(async () => {
    if (!principal.isAdmin) return (await members.role(orgId, principal.userId)) ?? 'stranger';
    return (await organizations.exists(orgId)) ? 'administrator' : 'stranger';
  });
}

const session = { session: [] };
const apiKey = { apiKey: [] };

function describedAccess(
  wanted: Access,
  schema: { description?: string; response?: unknown; body?: unknown },
) {
  const takesKey = wanted === 'identified' || (isAction(wanted) && may('key', wanted));
  return {
    security: takesKey ? [apiKey, session] : [session],
    description: [schema.description, `For: ${whoMay(wanted)}.`].filter(Boolean).join('\n\n'),
    response: {
      ...commonErrors,
      ...(wanted !== 'identified' && { 403: ErrorBody }),
      ...(isAction(wanted) && { 404: ErrorBody }),
      ...(schema.body !== undefined && { 413: ErrorBody, 415: ErrorBody }),
      ...(schema.response as object),
    },
  };
}

function isAction(wanted: Access): wanted is Action {
  return wanted !== 'identified' && wanted !== 'user' && wanted !== 'administrator';
}

function whoMay(wanted: Access): string {
  if (wanted === 'identified') return 'anyone with a key or a session';
  if (wanted === 'user') return 'anyone who is signed in';
  if (wanted === 'administrator') return 'administrators';
  const names = {
    key: 'API keys of the organization',
    viewer: 'viewers',
    member: 'members',
    admin: 'admins',
    owner: 'owners',
  };
  const allowed = Object.entries(names).filter(([standing]) => may(standing as Standing, wanted));
  return [...allowed.map(([, name]) => name), 'administrators'].join(', ');
}
