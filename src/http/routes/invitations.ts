import { requireMay } from '../../accounts/access.ts';
import { invitationLink, invitationMail } from '../../accounts/mails.ts';
import type { Role } from '../../accounts/roles.ts';
import type { Services } from '../../services.ts';
import { invitationView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { originOf } from '../origin.ts';
import { standingOn } from '../plugins/access.ts';
import { userOn } from '../plugins/identify.ts';
import { Id, NoContent, OrgParams } from '../schemas/common.ts';
import { CreatedInvitationResponse, InvitationListResponse, InvitationRequest } from '../schemas/members.ts';
import { Type } from '../schemas/type.ts';

const tags = ['Members'];
const path = '/v1/organizations/:org_id/invitations';
const InvitationParams = Type.Object({ ...OrgParams.properties, invitation_id: Id() });

export function invitationRoutes(app: App, services: Services): void {
  const { invitations, organizations, mailer, config, log } = services;

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
        summary: 'Invite somebody by e-mail address',
        description:
          'Mailed where the service can send mail; else hand over the link that is answered. It is good for 7 days and one person. ' +
          'Only owners invite owners.',
        tags,
        params: OrgParams,
        body: InvitationRequest,
        response: { 201: CreatedInvitationResponse },
      },
    },
    async (request, reply) => {
      const { org_id: orgId } = request.params;
      const role = request.body.role as Role;
      if (role === 'owner') requireMay(standingOn(request), 'owners.change');
      const { userId, name } = userOn(request);
      const { name: organization } = await organizations.get(orgId);
      const { invitation, token } = await invitations.create({
        orgId,
        email: request.body.email,
        role,
        invitedBy: userId,
        mailed: mailer !== null,
      });
      const url = invitationLink(originOf(request, config.publicUrl), token);
      mailer
        ?.send(invitationMail(invitation.email, url, { organization, name }))
        .catch((reason) => log.warn({ err: reason }, 'an invitation could not be mailed'));
      reply.code(201);
      return { ...invitationView(invitation), url };
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
