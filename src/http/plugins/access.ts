import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { type HeldRights, requireScope } from '../../keys/rights.ts';
import {
  type Action,
  keyMayNot,
  type Principal,
  type Relation,
  requireMay,
  type SessionUser,
} from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import type { Access, App } from '../app-types.ts';
import { lookUpsOf } from '../look-ups.ts';
import { mayHaveChanged, principalOn } from './identify.ts';

type Needs = Pick<Services, 'members' | 'organizations'>;

/**
 * Checks that the caller may use the route, before the body is read and, for people, after that. Every route of this
 * scope states its `config.access`; if one does not, the start fails.
 */
export function access(app: App, services: Needs): void {
  requireAccess(app);
  app.addHook<{ Params: { org_id?: string } }>('onRequest', async (request) => {
    request.relation = await admitted(request, services);
  });
  app.addHook<{ Params: { org_id?: string } }>('preHandler', async (request) => {
    if (mayHaveChanged(request)) request.relation = await admitted(request, services);
  });
}

/** Makes the start fail if a route of this scope doesn't state its `config.access`. */
export function requireAccess(app: App): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`The route ${method} ${url} has no config.access`);
  });
}

/** Reports whether a route is for those who may perform an action in an organization. */
export function isAction(access: Access | undefined): access is Action {
  return access !== undefined && access !== 'identified' && access !== 'user' && access !== 'administrator';
}

/** Throws `forbidden` if a key lacks the scope that a route needs, and on a route for people. */
export function requireKeyMay(key: HeldRights, wanted: Access | undefined): void {
  if (isAction(wanted)) requireMay(key, wanted);
  else if (wanted === 'identified') requireScope(key, 'read');
  else throw keyMayNot();
}

async function admitted(
  request: FastifyRequest<{ Params: { org_id?: string } }>,
  services: Needs,
): Promise<Relation> {
  const { access: wanted } = request.routeOptions.config;
  const principal = principalOn(request);
  if (!isAction(wanted)) {
    if (principal.kind === 'key') requireKeyMay(principal, wanted);
    else if (wanted === 'administrator' && !principal.isAdmin) throw onlyAdministrators();
    return 'stranger';
  }
  const { org_id: orgId } = request.params;
  const relation =
    orgId === undefined ? relationToAll(principal) : await relationOf(request, orgId, services);
  requireMay(relation, wanted);
  return relation;
}

const onlyAdministrators = () => new ServiceError('forbidden', 'Only an administrator may do this');

/** Returns the relation to what a route without an organization is about: see `organizationOn`. */
function relationToAll(principal: Principal): Relation {
  if (principal.kind === 'key') return principal;
  if (!principal.isAdmin) throw onlyAdministrators();
  return 'administrator';
}

/** Returns the organization of the path. Without one, it is that of a key, and null, which means all, for administrators. */
export function organizationOn(request: FastifyRequest): string | null {
  const { org_id: orgId } = request.params as { org_id?: string };
  const principal = principalOn(request);
  return orgId ?? (principal.kind === 'key' ? principal.orgId : null);
}

async function relationOf(request: FastifyRequest, orgId: string, services: Needs): Promise<Relation> {
  const principal = principalOn(request);
  if (principal.kind === 'key') return principal.orgId === orgId ? principal : 'stranger';
  return lookUpsOf(request)(() => relationOfUser(orgId, principal, services));
}

/** Reads the relation of a person to an organization. */
export async function relationOfUser(
  orgId: string,
  { userId, isAdmin }: Pick<SessionUser, 'userId' | 'isAdmin'>,
  { members, organizations }: Needs,
): Promise<Relation> {
  if (!isAdmin) return (await members.role(orgId, userId)) ?? 'stranger';
  return (await organizations.exists(orgId)) ? 'administrator' : 'stranger';
}
