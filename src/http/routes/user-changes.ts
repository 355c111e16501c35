import type { Services } from '../../service/services.ts';
import { userRecordView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { ErrorBody, NoContent } from '../schemas/common.ts';
import { EndedSessionsResponse } from '../schemas/sessions.ts';
import { ChangeUserRequest, DeleteUserQuery, UserParams, UserResponse } from '../schemas/users.ts';

const tags = ['Users'];

/** One of the installation's users, for its administrators. */
export function userChangeRoutes(app: App, { accounts, userChanges, sessions }: Services): void {
  const administrator = { access: 'administrator' } as const;

  app.get(
    '/v1/users/:user_id',
    {
      config: administrator,
      schema: {
        operationId: 'getUser',
        summary: 'Get a user',
        tags,
        params: UserParams,
        response: { 200: UserResponse, 404: ErrorBody },
      },
    },
    async (request) => userRecordView(await accounts.get(request.params.user_id)),
  );

  app.patch(
    '/v1/users/:user_id',
    {
      config: administrator,
      schema: {
        operationId: 'changeUser',
        summary: 'Disable, enable, promote or demote a user',
        description:
          'A disabled user can’t sign in by any way. Their sessions, reset links and the invitations that they have sent end at ' +
          'once. Their memberships and API keys stay, unless `revoke_keys` is `true`. The only administrator who can sign in can ' +
          'be neither disabled nor demoted.',
        tags,
        params: UserParams,
        body: ChangeUserRequest,
        response: { 200: UserResponse, 404: ErrorBody },
      },
    },
    async (request) => {
      const { user_id: userId } = request.params;
      const { is_admin: isAdmin, disabled: isDisabled, revoke_keys: revokesKeys = false } = request.body;
      await userChanges.change(userId, { isAdmin, isDisabled, revokesKeys });
      return userRecordView(await accounts.get(userId));
    },
  );

  app.delete(
    '/v1/users/:user_id',
    {
      config: administrator,
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'Deletes the account with its sessions, memberships and sent invitations. API keys stay with the organization, unless ' +
          '`revoke_keys` is `true`. The only administrator who can sign in can’t be deleted, nor can the last owner of an ' +
          'organization.',
        tags,
        params: UserParams,
        querystring: DeleteUserQuery,
        response: { 204: NoContent, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const revokesKeys = request.query.revoke_keys === 'true';
      await userChanges.delete(request.params.user_id, { revokesKeys });
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/v1/users/:user_id/sessions',
    {
      config: administrator,
      schema: {
        operationId: 'endUserSessions',
        summary: 'End all sessions of a user',
        tags,
        params: UserParams,
        response: { 200: EndedSessionsResponse, 404: ErrorBody },
      },
    },
    async (request) => {
      const { userId } = await accounts.get(request.params.user_id);
      return { ended: await sessions.endAll(userId) };
    },
  );
}
