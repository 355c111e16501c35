import { NoContent, PageQuery, pageView } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  ChangePasswordRequest,
  CodeRequest,
  MeResponse,
  meKeyView,
  meUserView,
  PasswordRequest,
  RenameRequest,
  TotpSetupResponse,
} from '../../api/me.ts';
import { EndedSessionsResponse, SessionListResponse, SessionParams, sessionView } from '../../api/session.ts';
import { notSignedIn, ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import { admitConfirmation, refusedCode } from '../../users/bounds.ts';
import { requirePasswords, requireUsable } from '../../users/emergency.ts';
import { sessionList } from '../../users/sessions.ts';
import type { Credentials } from '../../users/user.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { forward, forwardSignIn, rememberBrowser } from '../forward.ts';
import { principalOn, userOn } from '../plugins/identify.ts';

export function meRoutes(app: App, services: Services): void {
  const { users, attempts, config, clock } = services;
  /** The library starts a session even if the password that it checked has been replaced in the meantime. */
  const refusedSince = async (checked: Credentials | undefined): Promise<ServiceError | undefined> => {
    const now = checked && (await users.credentials(checked.userId));
    return now?.passwordVersion === checked?.passwordVersion ? undefined : notSignedIn();
  };

  /** Returns the user as they see themselves, after a change. */
  const ownUser = async (userId: string, change = async () => {}) => {
    try {
      await change();
      return meUserView(await users.get(userId));
    } catch (reason) {
      // The account was deleted after the session had been found.
      throw reason instanceof ServiceError && reason.code === 'not_found' ? notSignedIn() : reason;
    }
  };

  app.get(
    '/v1/me',
    described('identified', 'getMe', 'Get the caller', { response: { 200: MeResponse } }),
    async (request) => {
      const principal = principalOn(request);
      return principal.kind === 'key' ? meKeyView(principal) : ownUser(principal.userId);
    },
  );

  app.patch(
    '/v1/me',
    described('user', 'renameMe', 'Change your name', {
      body: RenameRequest,
      response: { 200: MeResponse },
    }),
    async (request) => {
      const { userId } = userOn(request);
      return ownUser(userId, () => users.rename(userId, request.body.name));
    },
  );

  app.post(
    '/v1/me/password',
    described('user', 'changePassword', 'Change your password', {
      description: 'Ends all other sessions and all reset password links.',
      body: ChangePasswordRequest,
      response: { 204: NoContent, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { current_password: currentPassword, new_password: newPassword } = request.body;
      const who = userOn(request);
      requirePasswords(services.config);
      await attempts.admitUser(who.userId);
      await users.changePassword(who, { current: currentPassword, next: newPassword });
      // The library checks the new password and gives this browser a session with a new token.
      const body = { currentPassword: newPassword, newPassword, revokeOtherSessions: true };
      await forward(services, request, reply, { path: '/change-password', body });
      await rememberBrowser(services, reply, who.userId);
    },
  );

  app.post(
    '/v1/me/totp',
    described('user', 'setUpTotp', 'Set up a second factor', {
      description: 'It takes effect once a code is confirmed with `POST /v1/me/totp/confirm`.',
      body: PasswordRequest,
      response: { 200: TotpSetupResponse, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { userId } = userOn(request);
      requireUsable(config, await users.credentials(userId), clock);
      await attempts.admitUser(userId);
      const { password } = request.body;
      const answer = await forward(services, request, reply, {
        path: '/two-factor/enable',
        body: { password, method: 'totp' },
      });
      const { totpURI, backupCodes } = answer.body as { totpURI: string; backupCodes: string[] };
      return { uri: totpURI, backup_codes: backupCodes };
    },
  );

  app.post(
    '/v1/me/totp/confirm',
    described('user', 'confirmTotp', 'Confirm the second factor with a code', {
      body: CodeRequest,
      response: { 204: NoContent, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { userId } = userOn(request);
      await admitConfirmation(attempts, userId);
      const body = { code: request.body.code.trim() };
      const question = { path: '/two-factor/verify-totp', body };
      const checked = await users.credentials(userId);
      await forwardSignIn(
        services,
        request,
        reply,
        question,
        async () => (await refusedCode(attempts, userId, body.code)) ?? refusedSince(checked),
      );
      await rememberBrowser(services, reply, userId);
    },
  );

  app.post(
    '/v1/me/totp/remove',
    described('user', 'removeTotp', 'Remove the second factor', {
      body: PasswordRequest,
      response: { 204: NoContent, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { userId } = userOn(request);
      const checked = await users.credentials(userId);
      requireUsable(config, checked, clock);
      await attempts.admitUser(userId);
      const { password } = request.body;
      const question = { path: '/two-factor/disable', body: { password } };
      await forwardSignIn(services, request, reply, question, () => refusedSince(checked));
      await rememberBrowser(services, reply, userId);
    },
  );

  sessionRoutes(app, services);
}

/** Registers the routes with which users manage their own sessions. */
function sessionRoutes(app: App, { sessions }: Services): void {
  app.get(
    '/v1/me/sessions',
    described('user', 'listMySessions', 'List your sessions', {
      querystring: PageQuery(sessionList),
      response: { 200: SessionListResponse },
    }),
    async (request) => {
      const { userId, sessionId } = userOn(request);
      const page = await sessions.list(userId, request.query);
      return pageView(page, (session) => sessionView(session, sessionId));
    },
  );

  app.delete(
    '/v1/me/sessions',
    described('user', 'endMyOtherSessions', 'End all your other sessions', {
      description: 'Keeps the session that sends the request.',
      response: { 200: EndedSessionsResponse },
    }),
    async (request) => {
      const { userId, sessionId } = userOn(request);
      return { ended: await sessions.endAll(userId, sessionId) };
    },
  );

  app.delete(
    '/v1/me/sessions/:session_id',
    described('user', 'endMySession', 'End one of your sessions', {
      description: 'The next request with the session is rejected on every replica.',
      params: SessionParams,
      response: { 204: NoContent },
    }),
    async (request) => {
      const { userId } = userOn(request);
      await sessions.end(userId, request.params.session_id);
    },
  );
}
