import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.ts';
import { type HeldRights, requireScope } from '../../keys/rights.ts';
import {
  type Action,
  isOfOperator,
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
/** Undefined: a route of the installation. */
type OfOrganization = { org_id?: string };

/**
 * Checks that the caller may use the route, before the body is read and, for people, after that. Every route of this
 * scope states its `config.access`; if one does not, the start fails.
 */
export function access(app: App, services: Needs): void {
  requireAccess(app);
  app.addHook<{ Params: OfOrganization }>('onRequest', async (request) => {
    request.relation = await admitted(request, services);
  });
  app.addHook<{ Params: OfOrganization }>('preHandler', async (request) => {
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
  return access !== undefined && access !== 'identified' && access !== 'user';
}

/** Throws `forbidden` if a key lacks the scope that a route needs, and on a route for people. */
export function requireKeyMay(key: HeldRights, wanted: Access | undefined): void {
  if (isAction(wanted)) requireMay(key, wanted);
  else if (wanted === 'identified') requireScope(key, 'read');
  else throw keyMayNot();
}

async function admitted(
  request: FastifyRequest<{ Params: OfOrganization }>,
  services: Needs,
): Promise<Relation> {
  const { access: wanted } = request.routeOptions.config;
  const principal = principalOn(request);
  if (!isAction(wanted)) {
    if (principal.kind === 'key') requireKeyMay(principal, wanted);
    return 'stranger';
  }
  const { org_id: orgId } = request.params;
  if (orgId === undefined) return relationToAll(principal, wanted);
  const relation = await relationOf(request, orgId, services);
  requireMay(relation, wanted);
  return relation;
}

/** Returns the relation to what a route without an organization is about: see `organizationOn`. Throws `forbidden`. */
function relationToAll(principal: Principal, wanted: Action): Relation {
  if (principal.kind === 'user') {
    if (principal.isAdmin) return 'administrator';
    throw new ServiceError('forbidden', 'Only an administrator may do this');
  }
  if (principal.orgId !== null && isOfOperator(wanted)) throw keyMayNot();
  requireMay(principal, wanted);
  return principal;
}

/**
 * Returns the organization of the path. Without one, it is that of the key, and null, which means the installation, for
 * its keys and for administrators.
 */
export function organizationOn(request: FastifyRequest): string | null {
  const { org_id: orgId } = request.params as OfOrganization;
  const principal = principalOn(request);
  return orgId ?? (principal.kind === 'key' ? principal.orgId : null);
}

async function relationOf(request: FastifyRequest, orgId: string, services: Needs): Promise<Relation> {
  const principal = principalOn(request);
  if (principal.kind === 'user') return lookUpsOf(request)(() => relationOfUser(orgId, principal, services));
  if (principal.orgId === orgId) return principal;
  return principal.orgId === null && (await lookUpsOf(request)(() => services.organizations.exists(orgId)))
    ? principal
    : 'stranger';
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
