import { PageQuery, pageView } from '../../api/common.ts';
import {
  CreatedUserResponse,
  CreateUserRequest,
  ResetLinkResponse,
  UserListResponse,
  UserParams,
  userView,
} from '../../api/user.ts';
import { ServiceError } from '../../errors.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Services } from '../../service/services.ts';
import { resetLink } from '../../users/mails.ts';
import { userList } from '../../users/users.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { originOf } from '../origin.ts';
import { userChangeRoutes } from './user-changes.ts';

/** Registers the routes with which administrators manage the users of the installation. */
export function userRoutes(app: App, services: Services): void {
  const { users, passwordResets, config } = services;
  app.get(
    '/v1/users',
    described('administrator', 'listUsers', 'List all users', {
      querystring: PageQuery(userList),
      response: { 200: UserListResponse },
    }),
    async (request) => pageView(await users.list(request.query), userView),
  );

  app.post(
    '/v1/users',
    described('administrator', 'createUser', 'Create a user', {
      description: 'Only this response contains the generated password.',
      body: CreateUserRequest,
      response: { 201: CreatedUserResponse },
    }),
    async (request) => {
      const { email, name, is_admin: isAdmin = false } = request.body;
      const { user, password } = await users.create({ email, name, isAdmin });
      return { ...userView(user), password };
    },
  );

  app.post(
    '/v1/users/:user_id/password-reset',
    described('administrator', 'createResetLink', 'Create a reset password link for a user', {
      params: UserParams,
      response: { 201: ResetLinkResponse },
    }),
    async (request) => {
      const { userId, isDisabled } = await users.get(request.params.user_id);
      if (isDisabled) throw new ServiceError('invalid_request', 'This user is disabled. Enable them first.');
      const { token, expiresAt } = await passwordResets.create(userId, { mailed: false });
      return {
        url: resetLink(originOf(request, config.publicUrl), token),
        expires_at: isoTime(expiresAt),
      };
    },
  );

  userChangeRoutes(app, services);
}
