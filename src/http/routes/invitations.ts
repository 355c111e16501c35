import { Type } from 'typebox';
import { requireMay } from '../../accounts/access.ts';
import { admitInvitation } from '../../accounts/mail-bounds.ts';
import { invitationLink, invitationMail } from '../../accounts/mails.ts';
import type { Role } from '../../accounts/roles.ts';
import { ServiceError } from '../../errors.ts';
import { validEmail } from '../../lib/email.ts';
import type { Services } from '../../service/services.ts';
import { invitationView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { originOf } from '../origin.ts';
import { standingOn } from '../plugins/access.ts';
import { userOn } from '../plugins/identify.ts';
import { ErrorBody, Id, NoContent, OrgParams } from '../schemas/common.ts';
import { CreatedInvitationResponse, InvitationListResponse, InvitationRequest } from '../schemas/members.ts';

const tags = ['Members'];
const path = '/v1/organizations/:org_id/invitations';
const InvitationParams = Type.Object({ ...OrgParams.properties, invitation_id: Id() });

export function invitationRoutes(app: App, services: Services): void {
  const { invitations, organizations, attempts, mailer, config } = services;

  app.get(
    path,
    {
      config: { access: 'members.read' },
      schema: {
        operationId: 'listInvitations',
        summary: 'Invitations that are not accepted yet',
        tags,
        params: OrgParams,
        response: { 200: InvitationListResponse },
      },
    },
    async (request) => ({
      object: 'list' as const,
      data: (await invitations.list(request.params.org_id)).map(invitationView),
    }),
  );

  app.post(
    path,
    {
      config: { access: 'members.change' },
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite a person by email address',
        description:
          'The service mails the link where it can send mail, and shows it to nobody else; otherwise the response has the link to hand ' +
          'over. It is valid for 7 days and one person, as long as who sent it may invite. Only owners invite owners. Invitations are bounded by organization and by address; beyond, 429 says when to try again.',
        tags,
        params: OrgParams,
        body: InvitationRequest,
        response: { 201: CreatedInvitationResponse, 429: ErrorBody },
      },
    },
    async (request, reply) => {
      const { org_id: orgId } = request.params;
      const role = request.body.role as Role;
      if (role === 'owner') requireMay(standingOn(request), 'owners.change');
      const { userId, name } = userOn(request);
      await admitInvitation(attempts, orgId, validEmail(request.body.email));
      const { name: organization } = await organizations.get(orgId);
      const { invitation, token } = await invitations.create({
        orgId,
        email: request.body.email,
        role,
        invitedBy: userId,
        mailed: mailer !== null,
      });
      const url = invitationLink(originOf(request, config.publicUrl), token);
      reply.code(201);
      if (!mailer) return { ...invitationView(invitation), url };
      await mailer
        .send(invitationMail(invitation.email, url, { organization, name }))
        .catch(async (reason) => {
          await invitations.delete(orgId, invitation.invitationId);
          throw notMailed(reason);
        });
      // Who accepts by a mailed link has proved that the address is theirs, so nobody else may see it.
      return { ...invitationView(invitation), url: null };
    },
  );

  app.delete(
    `${path}/:invitation_id`,
    {
      config: { access: 'members.change' },
      schema: {
        operationId: 'deleteInvitation',
        summary: 'Take an invitation back',
        tags,
        params: InvitationParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await invitations.delete(request.params.org_id, request.params.invitation_id);
      return reply.code(204).send(null);
    },
  );
}

const notMailed = (cause: unknown) =>
  new ServiceError(
    'unavailable',
    'The invitation could not be mailed, so nobody is invited. Try again later',
    {
      cause,
      retryAfterSeconds: 60,
    },
  );
