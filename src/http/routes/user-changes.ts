import { NoContent } from '../../api/common.ts';
import { EndedSessionsResponse } from '../../api/session.ts';
import { ChangeUserRequest, DeleteUserQuery, UserParams, UserResponse, userView } from '../../api/user.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';

/** Registers the routes with which administrators manage a single user. */
export function userChangeRoutes(app: App, { users, userChanges, sessions }: Services): void {
  app.get(
    '/v1/users/:user_id',
    described('administrator', 'getUser', 'Get a user', {
      params: UserParams,
      response: { 200: UserResponse },
    }),
    async (request) => userView(await users.get(request.params.user_id)),
  );

  app.patch(
    '/v1/users/:user_id',
    described('administrator', 'changeUser', 'Disable, enable, promote or demote a user', {
      description:
        'A disabled user can’t sign in. Their sessions and reset password links, and the invitations that they have sent, end ' +
        'immediately. Their memberships stay, and so do their API keys unless `revoke_keys` is `true`. The only administrator ' +
        'who can sign in can’t be disabled or demoted.',
      params: UserParams,
      body: ChangeUserRequest,
      response: { 200: UserResponse },
    }),
    async (request) => {
      const { user_id: userId } = request.params;
      const { is_admin: isAdmin, disabled: isDisabled, revoke_keys: revokesKeys = false } = request.body;
      await userChanges.change(userId, { isAdmin, isDisabled, revokesKeys });
      return userView(await users.get(userId));
    },
  );

  app.delete(
    '/v1/users/:user_id',
    described('administrator', 'deleteUser', 'Delete a user', {
      description:
        'Deletes the account, its sessions and memberships, and the invitations that the user has sent. The API keys belong to ' +
        'the organization and stay valid, unless `revoke_keys` is `true`. The only administrator who can sign in can’t be ' +
        'deleted, nor can the last owner of an organization.',
      params: UserParams,
      querystring: DeleteUserQuery,
      response: { 204: NoContent },
    }),
    async (request) => {
      const revokesKeys = request.query.revoke_keys === 'true';
      await userChanges.delete(request.params.user_id, { revokesKeys });
    },
  );

  app.delete(
    '/v1/users/:user_id/sessions',
    described('administrator', 'endUserSessions', 'End all sessions of a user', {
      params: UserParams,
      response: { 200: EndedSessionsResponse },
    }),
    async (request) => {
      const { userId } = await users.get(request.params.user_id);
      return { ended: await sessions.endAll(userId) };
    },
  );
}
