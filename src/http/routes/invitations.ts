import { Type } from 'typebox';
import { Id, NoContent, OrgParams, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  CreatedInvitationResponse,
  InvitationListResponse,
  InvitationRequest,
  invitationView,
} from '../../api/invitation.ts';
import { ServiceError } from '../../errors.ts';
import { validEmail } from '../../lib/email.ts';
import { operatorName } from '../../lib/operator.ts';
import { requireMay } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { admitInvitation, mayMailInvitation } from '../../users/bounds.ts';
import { invitationList } from '../../users/invitations.ts';
import { invitationLink, invitationMail } from '../../users/mails.ts';
import type { App } from '../app-types.ts';
import { senderOf } from '../audience.ts';
import { described } from '../described.ts';
import { addressOf } from '../origin.ts';
import { principalOn } from '../plugins/identify.ts';

const path = '/v1/organizations/:org_id/invitations';
const InvitationParams = Type.Object({ ...OrgParams.properties, invitation_id: Id() });

export function invitationRoutes(app: App, services: Services): void {
  const { invitations, members, organizations, attempts, mailer, config } = services;

  app.get(
    path,
    described('members.read', 'listInvitations', 'List the invitations that have not been accepted', {
      querystring: PageQuery(invitationList),
      params: OrgParams,
      response: { 200: InvitationListResponse },
    }),
    async (request) => pageView(await invitations.list(request.params.org_id, request.query), invitationView),
  );

  app.post(
    path,
    described('members.change', 'createInvitation', 'Invite a person by email address', {
      description:
        'The service mails the link if it can send mail, and shows it to nobody else. Otherwise, or if many ' +
        'invitations were ' +
        'mailed to the address today, the response contains the link to hand over. The link works for one ' +
        'person, for 7 days, as long as its sender may invite people. Only owners can ' +
        'invite owners. The number of invitations per organization and per address is limited. Above the ' +
        'limit, the status is ' +
        '429, and `Retry-After` says when to try again.',
      params: OrgParams,
      body: InvitationRequest,
      response: { 201: CreatedInvitationResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { org_id: orgId } = request.params;
      const { email, role } = request.body;
      if (role === 'owner') requireMay(request.relation, 'owners.change');
      const principal = principalOn(request);
      const isMember = principal.kind === 'user' && (await members.role(orgId, principal.userId)) !== null;
      const name = isMember ? principal.name : operatorName;
      await admitInvitation(attempts, orgId, validEmail(email));
      const { name: organization } = await organizations.get(orgId);
      const mailed = mailer !== null && (await mayMailInvitation(attempts, validEmail(email)));
      const { invitation, token } = await invitations.create({
        orgId,
        email,
        role,
        invitedBy: senderOf(request).senderId,
        mailed,
      });
      const url = invitationLink(addressOf(request, config.publicUrl), token);
      if (!mailer || !mailed) return { ...invitationView(invitation), url };
      await mailer
        .send(invitationMail(invitation.email, url, { organization, name }))
        .catch(async (reason) => {
          await invitations.delete(orgId, invitation.invitationId);
          throw notMailed(reason);
        });
      // Accepting through a mailed link proves that the address is the person's own, so nobody else may see the link.
      return { ...invitationView(invitation), url: null };
    },
  );

  app.delete(
    `${path}/:invitation_id`,
    described('members.change', 'deleteInvitation', 'Withdraw an invitation', {
      params: InvitationParams,
      response: { 204: NoContent },
    }),
    async (request) => invitations.delete(request.params.org_id, request.params.invitation_id),
  );
}

const notMailed = (cause: unknown) =>
  new ServiceError('unavailable', 'The invitation could not be mailed and was deleted. Try again later.', {
    cause,
    retryAfterSeconds: 60,
  });
