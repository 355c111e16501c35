import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody } from '../../api/error.ts';
import {
  AcceptedInvitationResponse,
  AcceptInvitationRequest,
  FoundInvitationResponse,
  foundInvitationView,
  InvitationTokenRequest,
} from '../../api/invitation.ts';
import { withActor } from '../../audit/origin.ts';
import { notSignedIn, ServiceError } from '../../errors.ts';
import { operatorName } from '../../lib/operator.ts';
import type { Services } from '../../service/services.ts';
import { requirePasswords } from '../../users/emergency.ts';
import type { Invitation } from '../../users/invitations.ts';
import { mayHaveSession } from '../../users/lazy-sign-in.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { forward } from '../forward.ts';
import { refuseForeignOrigin } from '../origin.ts';

/** Registers the routes behind an invitation's link. They are public, since the invited person may have no account. */
export function acceptInvitationRoutes(app: App, services: Services): void {
  const { invitations, members, organizations, users, attempts } = services;

  app.post(
    '/v1/invitations/find',
    described('public', 'findInvitation', 'Find the invitation behind a link', {
      body: InvitationTokenRequest,
      response: { 200: FoundInvitationResponse, 404: ErrorBody, 429: ErrorBody },
    }),
    async (request) => {
      await attempts.admit(request.ip, undefined);
      const invitation = await invitations.find(request.body.token);
      const { orgId, invitedBy, email } = invitation;
      const [organization, role, user] = await Promise.all([
        organizations.get(orgId),
        members.role(orgId, invitedBy),
        users.find(email),
      ]);
      const sender = role ? (await users.get(invitedBy)).name : operatorName;
      return foundInvitationView(invitation, organization.name, sender, user !== undefined);
    },
  );

  app.post(
    '/v1/invitations/accept',
    described('public', 'acceptInvitation', 'Join an organization', {
      description:
        'If you are signed in as the invited address, send only the token. If you have no account, send a name and a ' +
        'password as well, which creates one and signs in.',
      body: AcceptInvitationRequest,
      response: { 200: AcceptedInvitationResponse, 401: ErrorBody, 404: ErrorBody, 429: ErrorBody },
    }),
    async (request, reply) => {
      await attempts.admit(request.ip, undefined);
      const { token, name, password } = request.body;
      if (password !== undefined) requirePasswords(services.config);
      const invitation = await invitations.find(token);
      const guest =
        password === undefined
          ? { userId: await signedInAs(invitation, request, services) }
          : { newUser: await users.prepare(newUser(invitation, name, password)) };
      const id = 'userId' in guest ? guest.userId : guest.newUser.userId;
      await withActor({ kind: 'user', id }, () => invitations.accept(invitation, guest));
      if (password !== undefined) await signIn(invitation.email, password, request, reply, services);
      return { org_id: invitation.orgId, role: invitation.role };
    },
  );
}

/** A mailed link proves that the person has the address. A link that was handed over proves nothing. */
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
  await forward(services, request, reply, { path: '/sign-in/email', body });
  const credentials = await services.users.credentialsByEmail(email);
  if (credentials) reply.header('set-cookie', services.devices.cookie(credentials));
}
