import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Invitation } from '../../accounts/invitations.ts';
import { mayHaveSession } from '../../accounts/lazy-sign-in.ts';
import { notSignedIn, ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { isoTime } from '../../views.ts';
import type { App } from '../app-types.ts';
import { forward } from '../forward.ts';
import { refuseForeignOrigin } from '../origin.ts';
import { bodyErrors, ErrorBody } from '../schemas/common.ts';
import {
  AcceptedInvitationResponse,
  AcceptInvitationRequest,
  FoundInvitationResponse,
  InvitationTokenRequest,
} from '../schemas/members.ts';

const tags = ['Sign-in'];

/** What the page behind an invitation's link needs: public, since who follows it may have no account yet. */
export function acceptInvitationRoutes(app: App, services: Services): void {
  const { invitations, organizations, accounts, attempts } = services;
  const errors = { ...bodyErrors, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 429: ErrorBody };

  app.post(
    '/v1/invitations/find',
    {
      schema: {
        operationId: 'findInvitation',
        summary: 'What a link is an invitation to',
        tags,
        body: InvitationTokenRequest,
        response: { 200: FoundInvitationResponse, ...errors },
      },
    },
    async (request) => {
      await attempts.admit(request.ip, undefined);
      const { orgId, email, role, expiresAt } = await invitations.find(request.body.token);
      const [organization, user] = await Promise.all([organizations.get(orgId), accounts.find(email)]);
      return {
        org_id: orgId,
        organization: organization.name,
        email,
        role,
        expires_at: isoTime(expiresAt),
        has_account: user !== undefined,
      };
    },
  );

  app.post(
    '/v1/invitations/accept',
    {
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Join an organization',
        description:
          'Signed in as the invited address: with the token alone. Without an account: with a name and a password, which makes ' +
          'one and signs in.',
        tags,
        body: AcceptInvitationRequest,
        response: { 200: AcceptedInvitationResponse, ...errors },
      },
    },
    async (request, reply) => {
      await attempts.admit(request.ip, undefined);
      const { token, name, password } = request.body;
      const invitation = await invitations.find(token);
      const guest =
        password === undefined
          ? { userId: await signedInAs(invitation, request, services) }
          : { newUser: (await accounts.prepare(newUser(invitation, name, password))).record };
      await invitations.accept(invitation, guest);
      if (password !== undefined) await signIn(invitation.email, password, request, reply, services);
      return { org_id: invitation.orgId, role: invitation.role };
    },
  );
}

/** Who has a mailed link also has the address. A link that was handed over proves nothing. */
function newUser({ email, mailed }: Invitation, name: string | undefined, password: string) {
  return { email, name, password, emailVerified: mailed };
}

async function signedInAs(
  { email }: Invitation,
  request: FastifyRequest,
  { signIn, config }: Services,
): Promise<string> {
  const { cookie } = request.headers;
  const found = mayHaveSession(cookie) ? await signIn.session(cookie) : undefined;
  if (!found) throw notSignedIn();
  refuseForeignOrigin(request, config.publicUrl);
  if (found.user.email !== email) {
    throw new ServiceError('forbidden', `This invitation is for ${email}: sign in as that user`);
  }
  return found.user.userId;
}

async function signIn(
  email: string,
  password: string,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  const body = { email, password };
  await forward(services, request, reply, { method: 'POST', path: '/sign-in/email', body });
  const credentials = await services.accounts.credentialsByEmail(email);
  if (credentials) reply.header('set-cookie', services.devices.cookie(credentials));
}
