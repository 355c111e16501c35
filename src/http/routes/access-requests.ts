import { Type } from 'typebox';
import { Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  AcceptAccessRequest,
  AccessListResponse,
  AccessSentResponse,
  accessRequestView,
  accessSentView,
  CreateAccessRequest,
} from '../../api/wish.ts';
import { ServiceError } from '../../errors.ts';
import { type Relation, requireMay } from '../../organizations/access.ts';
import { type AccessOf, accessList } from '../../organizations/wishes.ts';
import type { Services } from '../../service/services.ts';
import { admitRequest } from '../../users/mail-bounds.ts';
import { accessMail } from '../../users/mails.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { mailRequest } from '../mail-request.ts';
import { originOf } from '../origin.ts';
import { userOn } from '../plugins/identify.ts';

const AccessParams = Type.Object({ access_id: Id() });
const ownPath = '/v1/organizations/:org_id/access-requests';
const OwnAccessParams = Type.Object({ ...OrgParams.properties, ...AccessParams.properties });

export function accessRequestRoutes(app: App, services: Services): void {
  const { wishes, members, attempts, config } = services;

  app.get(
    '/v1/access-requests',
    described('user', 'listAccessRequests', 'List your own access request or, for administrators, all', {
      querystring: PageQuery(accessList),
      response: { 200: AccessListResponse },
    }),
    async (request) => {
      const { isAdmin, userId } = userOn(request);
      const page = await wishes.accesses(isAdmin ? 'all' : { userId }, request.query);
      return pageView(page, accessRequestView(isAdmin));
    },
  );

  app.post(
    '/v1/access-requests',
    described('user', 'createAccessRequest', 'Ask to join an organization', {
      description:
        'For people who are in no organization. The administrators and the organization’s owners see the request, and get an ' +
        'email if the service can send mail. The response is the same whether or not there is such an organization. A person ' +
        'has one request: another one replaces it. The number of requests per person and day is limited. Above the limit, the ' +
        'status is 429, and `Retry-After` says when to try again.',
      body: CreateAccessRequest,
      response: { 202: AccessSentResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { userId, name, email } = userOn(request);
      await admitRequest(attempts, userId);
      const { data: own } = await members.organizationsOf(userId, { limit: 1 });
      if (own.length > 0) {
        throw new ServiceError(
          'invalid_request',
          'You are a member of an organization. Ask to be invited to others.',
        );
      }
      const made = await wishes.askForAccess(userId, request.body.organization);
      const { organization, orgId } = made;
      const origin = originOf(request, config.publicUrl);
      mailRequest(services, orgId, (to) => accessMail(to, origin, { organization, name, email }));
      return accessSentView(made);
    },
  );

  app.delete(
    '/v1/access-requests/:access_id',
    described(
      'user',
      'deleteAccessRequest',
      'Withdraw your own access request or, for administrators, decline any',
      {
        params: AccessParams,
        response: { 204: NoContent },
      },
    ),
    async (request) => {
      const { isAdmin, userId } = userOn(request);
      await wishes.deleteAccess(request.params.access_id, isAdmin ? 'all' : { userId });
    },
  );

  app.get(
    ownPath,
    described(
      'members.change',
      'listOwnAccessRequests',
      'List the access requests that name an organization',
      {
        description: 'If several organizations have the same name, only administrators see the request.',
        querystring: PageQuery(accessList),
        params: OrgParams,
        response: { 200: AccessListResponse },
      },
    ),
    async (request) =>
      pageView(
        await wishes.accesses({ orgId: request.params.org_id }, request.query),
        accessRequestView(true),
      ),
  );

  app.post(
    `${ownPath}/:access_id/accept`,
    described('members.change', 'acceptAccessRequest', 'Make the person who asks a member', {
      description:
        'Only owners can make owners. Administrators can accept any request into any organization.',
      params: OwnAccessParams,
      body: AcceptAccessRequest,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { org_id: orgId, access_id: accessId } = request.params;
      const { role } = request.body;
      if (role === 'owner') requireMay(request.relation, 'owners.change');
      await wishes.accept(accessId, decidedBy(request.relation, orgId), { orgId, role });
    },
  );

  app.delete(
    `${ownPath}/:access_id`,
    described('members.change', 'declineAccessRequest', 'Decline an access request', {
      params: OwnAccessParams,
      response: { 204: NoContent },
    }),
    async (request) => wishes.deleteAccess(request.params.access_id, { orgId: request.params.org_id }),
  );
}

/** Returns the requests that the caller may accept. */
const decidedBy = (relation: Relation, orgId: string): AccessOf =>
  relation === 'administrator' ? 'all' : { orgId };
