import type { FastifyRequest } from 'fastify';
import { listView, NoContent, OrgParams } from '../../api/common.ts';
import {
  CreateLimitRequest,
  LimitListResponse,
  LimitParams,
  LimitQuery,
  LimitResponse,
  limitView,
  UpdateLimitRequest,
} from '../../api/limit.ts';
import { requireMay } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

const path = '/v1/organizations/:org_id/limits';

const whoMayChange =
  'Administrators of the installation change the limits of organizations. Owners and admins of an organization ' +
  'change the limits of its keys.';

/** Managers of an organization may not lift the limits that the operator has set for the whole organization. */
function requireMayChange(request: FastifyRequest, keyId: string | null): void {
  requireMay(request.relation, keyId === null ? 'limits.change-organization' : 'limits.change-keys');
}

export function limitRoutes(app: App, { limits }: Services): void {
  app.get(
    path,
    described('limits.read', 'listLimits', 'List the limits of the organization or of a key', {
      params: OrgParams,
      querystring: LimitQuery,
      response: { 200: LimitListResponse },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      return listView((await limits.list(orgId, request.query.key_id ?? null)).map(limitView));
    },
  );

  app.post(
    path,
    described('limits.change-keys', 'createLimit', 'Limit an organization or a key', {
      description:
        'The limit applies from the next request on, beside the quota of the tier and all other limits: a ' +
        `request counts in all of them or in none. ${whoMayChange}`,
      params: OrgParams,
      body: CreateLimitRequest,
      response: { 201: LimitResponse },
    }),
    async (request) => {
      const { key_id: keyId = null, max_wait_seconds: seconds = null, ...limit } = request.body;
      requireMayChange(request, keyId);
      const added = await limits.add(request.params.org_id, {
        keyId,
        maxWaitMs: seconds === null ? null : seconds * 1_000,
        ...limit,
      });
      return limitView(added);
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
      requireMayChange(request, (await limits.find(orgId, limitId)).keyId);
      return limitView(await limits.setAmount(orgId, limitId, request.body.amount));
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
      requireMayChange(request, (await limits.find(orgId, limitId)).keyId);
      await limits.remove(orgId, limitId);
    },
  );
}
