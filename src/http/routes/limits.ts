import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { listView, NoContent, OrgParams, pageView } from '../../api/common.ts';
import {
  CreateLimitRequest,
  type Limit,
  LimitListResponse,
  LimitParams,
  LimitQuery,
  LimitResponse,
  limitView,
  UpdateLimitRequest,
} from '../../api/limit.ts';
import { LimitUseListResponse, LimitUseQuery, limitFilterOf, limitUseView } from '../../api/limit-use.ts';
import { ServiceError } from '../../errors.ts';
import { may, requireMay } from '../../organizations/access.ts';
import { type LimitScope, type ListedLimit, ownScope, scopeIdOf } from '../../quota/limit.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { organizationOn } from '../plugins/access.ts';

const path = '/v1/organizations/:org_id/limits';

type Scoped = Partial<Pick<Limit, 'key_id' | 'user_id' | 'applies_to'>>;

const whoMayChange =
  'Administrators of the installation set and change the limits of organizations. Owners and admins of an ' +
  'organization set those of its keys and users, and change the ones that the organization has set.';

/** Managers of an organization may not lift the limits of the operator. */
function requireMayChange({ relation }: FastifyRequest, { setBy }: Pick<ListedLimit, 'setBy'>): void {
  if (setBy === 'tier')
    throw new ServiceError('forbidden', 'The tier sets this limit. The settings file of the service has it');
  requireMay(relation, setBy === 'operator' ? 'limits.change-organization' : 'limits.change-keys');
}

/** Returns the scope that a request names. */
function scopeOf({
  key_id: keyId = null,
  user_id: userId = null,
  applies_to: appliesTo = 'requests',
}: Scoped): LimitScope {
  return { keyId, userId, appliesTo };
}

export function limitRoutes(app: App, { limits, pacer }: Services): void {
  const viewOf = (limit: ListedLimit) => limitView(limit, pacer.inProgress);

  app.get(
    path,
    described('limits.read', 'listLimits', 'List the limits of the organization, a key, a user or new keys', {
      params: OrgParams,
      querystring: LimitQuery,
      response: { 200: LimitListResponse },
    }),
    async (request) => {
      const found = await limits.list(request.params.org_id, scopeOf(request.query));
      return listView(found.map(viewOf));
    },
  );

  const byUse = async (request: FastifyRequest<{ Querystring: Static<typeof LimitUseQuery> }>) => {
    const found = await limits.byUse(organizationOn(request), request.query, limitFilterOf(request.query));
    return pageView(found, (limit) => limitUseView(limit, pacer.inProgress));
  };
  const whenItMoves = 'A limit whose use changes meanwhile changes its place between two pages.';

  app.get(
    `${path}/all`,
    described('limits.read', 'listLimitsByUse', 'List all limits of an organization by their use', {
      description: `Lists the limits of the whole organization, its keys, its users and new keys. ${whenItMoves}`,
      params: OrgParams,
      querystring: LimitUseQuery,
      response: { 200: LimitUseListResponse },
    }),
    byUse,
  );

  app.get(
    '/v1/limits',
    described('limits.read', 'listAllLimits', 'List the limits of all organizations by their use', {
      description:
        'Administrators get the limits of whole organizations, keys, users and new keys, and a key gets those of its ' +
        `organization. ${whenItMoves}`,
      querystring: LimitUseQuery,
      response: { 200: LimitUseListResponse },
    }),
    byUse,
  );

  app.post(
    path,
    described('limits.change-keys', 'createLimit', 'Limit an organization, a key, a user or new keys', {
      description:
        'The limit applies from the next request on, beside the quota of the tier and all other limits: a ' +
        `request counts in all of them or in none. ${whoMayChange}`,
      params: OrgParams,
      body: CreateLimitRequest,
      response: { 201: LimitResponse },
    }),
    async (request) => {
      const { max_wait_seconds: seconds = null, unit, amount } = request.body;
      const window = request.body.window ?? 'none';
      const scope = scopeOf(request.body);
      const { relation } = request;
      if (scopeIdOf(scope) === ownScope) requireMay(relation, 'limits.change-organization');
      const setBy = may(relation, 'limits.change-organization') ? 'operator' : 'organization';
      const maxWaitMs = seconds === null ? null : seconds * 1_000;
      const limit = { ...scope, unit, window, amount, maxWaitMs, setBy } as const;
      return viewOf(await limits.add(request.params.org_id, limit));
    },
  );

  app.patch(
    `${path}/:limit_id`,
    described('limits.change-keys', 'updateLimit', 'Change the amount of a limit', {
      description:
        'The new amount applies from the next request on. What was used in the current window stays used. ' +
        `${whoMayChange}`,
      params: LimitParams,
      body: UpdateLimitRequest,
      response: { 200: LimitResponse },
    }),
    async (request) => {
      const { org_id: orgId, limit_id: limitId } = request.params;
      requireMayChange(request, await limits.find(orgId, limitId));
      return viewOf(await limits.setAmount(orgId, limitId, request.body.amount));
    },
  );

  app.delete(
    `${path}/:limit_id`,
    described('limits.change-keys', 'deleteLimit', 'Remove a limit', {
      description: `The limit no longer applies from the next request on. ${whoMayChange}`,
      params: LimitParams,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { org_id: orgId, limit_id: limitId } = request.params;
      requireMayChange(request, await limits.find(orgId, limitId));
      await limits.remove(orgId, limitId);
    },
  );
}
