import type { FastifyRequest } from 'fastify';
import { NoContent, PageQuery, pageView } from '../../api/common.ts';
import { EndedSessionsResponse } from '../../api/session.ts';
import {
  ChangeUserRequest,
  CreatedUserResponse,
  CreateUserRequest,
  DeleteUserQuery,
  ResetLinkResponse,
  UserDetailsResponse,
  UserListResponse,
  UserParams,
  UserResponse,
  userDetailsView,
  userView,
} from '../../api/user.ts';
import { invalidRequest, ServiceError } from '../../errors.ts';
import { isoTime } from '../../lib/clock.ts';
import { keyMayNot } from '../../organizations/access.ts';
import type { Services } from '../../service/services.ts';
import { requirePasswords } from '../../users/emergency.ts';
import { resetLink } from '../../users/mails.ts';
import { userList } from '../../users/user.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { addressOf } from '../origin.ts';
import { principalOn } from '../plugins/identify.ts';

/** Registers the routes with which administrators manage the users of the installation. */
export function userRoutes(app: App, services: Services): void {
  const { users, passwordResets, config } = services;
  app.get(
    '/v1/users',
    described('users.read', 'listUsers', 'List all users', {
      querystring: PageQuery(userList),
      response: { 200: UserListResponse },
    }),
    async (request) => pageView(await users.list(request.query), userView),
  );

  app.post(
    '/v1/users',
    described('users.admit', 'createUser', 'Create a user', {
      description: 'Only this response contains the generated password.',
      body: CreateUserRequest,
      response: { 201: CreatedUserResponse },
    }),
    async (request) => {
      const { email, name, is_admin: isAdmin = false } = request.body;
      requirePasswords(config);
      const { user, password } = await users.create({ email, name, isAdmin });
      return { ...userView(user), password };
    },
  );

  app.post(
    '/v1/users/:user_id/password-reset',
    described('users.admit', 'createResetLink', 'Create a reset password link for a user', {
      params: UserParams,
      response: { 201: ResetLinkResponse },
    }),
    async (request) => {
      requirePasswords(config);
      const { userId, isDisabled } = await users.get(request.params.user_id);
      if (isDisabled) throw invalidRequest('This user is disabled. Enable them first.');
      const { token, expiresAt } = await passwordResets.create(userId, { mailed: false });
      return {
        url: resetLink(addressOf(request, config.publicUrl), token),
        expires_at: isoTime(expiresAt),
      };
    },
  );

  userChangeRoutes(app, services);
}

/** Throws `forbidden` for a key that would make, change or delete an administrator. */
async function requireNoAdministrator(
  request: FastifyRequest<{ Params: { user_id: string } }>,
  users: Services['users'],
): Promise<void> {
  if (principalOn(request).kind === 'key' && (await users.get(request.params.user_id)).isAdmin)
    throw new ServiceError('forbidden', 'An API key may not change administrators');
}

/** Registers the routes with which administrators manage a single user. */
function userChangeRoutes(app: App, { users, userChanges, sessions }: Services): void {
  app.get(
    '/v1/users/:user_id',
    described('users.read', 'getUser', 'Get a user, and what they would leave behind', {
      params: UserParams,
      response: { 200: UserDetailsResponse },
    }),
    async (request) => {
      const user = await users.get(request.params.user_id);
      return userDetailsView(user, await userChanges.belongings(user.userId));
    },
  );

  app.patch(
    '/v1/users/:user_id',
    described('users.change', 'changeUser', 'Disable, enable, promote or demote a user', {
      description:
        'A disabled user can’t sign in. Their sessions and reset password links, and the invitations that they ' +
        'have sent, end ' +
        'immediately. Their memberships stay, and so do their API keys unless `revoke_keys` is `true`. The ' +
        'only administrator ' +
        'who can sign in can’t be disabled or demoted.',
      params: UserParams,
      body: ChangeUserRequest,
      response: { 200: UserResponse },
    }),
    async (request) => {
      const { user_id: userId } = request.params;
      const { is_admin: isAdmin, disabled: isDisabled, revoke_keys: revokesKeys = false } = request.body;
      await requireNoAdministrator(request, users);
      if (isAdmin && principalOn(request).kind === 'key') throw keyMayNot();
      await userChanges.change(userId, { isAdmin, isDisabled, revokesKeys });
      return userView(await users.get(userId));
    },
  );

  app.delete(
    '/v1/users/:user_id',
    described('users.change', 'deleteUser', 'Delete a user', {
      description:
        'Deletes the account, its sessions and memberships, and the invitations that the user has sent. The ' +
        'API keys belong to ' +
        'the organization and stay valid, unless `revoke_keys` is `true`. The only administrator who can sign ' +
        'in can’t be ' +
        'deleted, nor without `successor_id` the last owner of an organization. The successor gets the ' +
        'organizations and the keys that the user leaves behind.',
      params: UserParams,
      querystring: DeleteUserQuery,
      response: { 204: NoContent },
    }),
    async (request) => {
      await requireNoAdministrator(request, users);
      const revokesKeys = request.query.revoke_keys === 'true';
      const { successor_id: successorId } = request.query;
      await userChanges.delete(request.params.user_id, { revokesKeys, successorId });
    },
  );

  app.delete(
    '/v1/users/:user_id/sessions',
    described('users.change', 'endUserSessions', 'End all sessions of a user', {
      params: UserParams,
      response: { 200: EndedSessionsResponse },
    }),
    async (request) => {
      const { userId } = await users.get(request.params.user_id);
      await requireNoAdministrator(request, users);
      return { ended: await sessions.endAll(userId) };
    },
  );
}
