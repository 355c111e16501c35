import { resetLink } from '../../accounts/mails.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { isoTime, userRecordView } from '../../views.ts';
import type { App } from '../app-types.ts';
import { originOf } from '../origin.ts';
import { ErrorBody } from '../schemas/common.ts';
import {
  CreatedUserResponse,
  CreateUserRequest,
  ResetLinkResponse,
  UserListResponse,
  UserParams,
} from '../schemas/users.ts';
import { userChangeRoutes } from './user-changes.ts';

const tags = ['Users'];

/** The installation's people, for its administrators. */
export function userRoutes(app: App, services: Services): void {
  const { accounts, passwordResets, config } = services;
  const administrator = { access: 'administrator' } as const;

  app.get(
    '/v1/users',
    {
      config: administrator,
      schema: { operationId: 'listUsers', summary: 'All users', tags, response: { 200: UserListResponse } },
    },
    async () => ({ object: 'list' as const, data: (await accounts.list()).map(userRecordView) }),
  );

  app.post(
    '/v1/users',
    {
      config: administrator,
      schema: {
        operationId: 'createUser',
        summary: 'Create a user, and show the password this once',
        tags,
        body: CreateUserRequest,
        response: { 201: CreatedUserResponse },
      },
    },
    async (request, reply) => {
      const { email, name, is_admin: isAdmin = false } = request.body;
      const { user, password } = await accounts.create({ email, name, isAdmin });
      reply.code(201);
      return { ...userRecordView(user), password };
    },
  );

  app.post(
    '/v1/users/:user_id/password-reset',
    {
      config: administrator,
      schema: {
        operationId: 'createResetLink',
        summary: 'A link with which a user chooses a new password',
        tags,
        params: UserParams,
        response: { 201: ResetLinkResponse, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { userId, isDisabled } = await accounts.get(request.params.user_id);
      if (isDisabled) throw new ServiceError('invalid_request', 'This user is disabled: enable them first');
      const { token, expiresAt } = await passwordResets.create(userId, { mailed: false });
      reply.code(201);
      return {
        url: resetLink(originOf(request, config.publicUrl), token),
        expires_at: isoTime(expiresAt),
      };
    },
  );

  userChangeRoutes(app, services);
}
