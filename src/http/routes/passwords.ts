import { NoContent } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import { ForgotPasswordRequest, ForgotPasswordResponse, ResetPasswordRequest } from '../../api/sign-in.ts';
import type { Mailer } from '../../lib/mailer.ts';
import type { Services } from '../../service/services.ts';
import { admitResetMail } from '../../users/bounds.ts';
import { requirePasswords } from '../../users/emergency.ts';
import { resetLink, resetMail } from '../../users/mails.ts';
import { digestPassword, requirePassword } from '../../users/passwords.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { rememberBrowser } from '../forward.ts';

/** Registers the public routes for forgotten passwords. */
export function passwordRoutes(app: App, services: Services): void {
  const { attempts, config } = services;

  app.post(
    '/v1/auth/password/forgot',
    described('public', 'forgotPassword', 'Request a reset password link', {
      body: ForgotPasswordRequest,
      response: { 200: ForgotPasswordResponse, 429: ErrorBody },
    }),
    async (request) => {
      const { email } = request.body;
      requirePasswords(config);
      await attempts.admit(request.ip);
      if (!services.mailer) {
        services.log.info('a reset password link was requested, but it can not be mailed without SMTP_URL');
        return { status: 'ask_administrator' as const };
      }
      await admitResetMail(attempts, email);
      // Must not await: the response time would reveal whether the user exists.
      mailReset(services, services.mailer, email).catch((reason) =>
        services.log.warn({ err: reason }, 'a reset password link could not be mailed'),
      );
      return { status: 'sent' as const };
    },
  );

  app.post(
    '/v1/auth/password/reset',
    described('public', 'resetPassword', 'Choose a new password with the token of a reset password link', {
      description:
        'Ends all sessions of the user and all their other reset password links. A mailed link also verifies ' +
        'the address. An account whose address was never verified loses its links to providers and its second ' +
        'factor.',
      body: ResetPasswordRequest,
      response: { 204: NoContent, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { token, new_password: newPassword } = request.body;
      requirePasswords(config);
      await attempts.admit(request.ip);
      requirePassword(newPassword, 'new_password');
      // First, because a digest takes long.
      await services.passwordResets.require(token);
      const userId = await services.passwordResets.use(token, await digestPassword(newPassword));
      // While a stranger guesses at the password, the user can still sign in with the new one.
      await rememberBrowser(services, reply, userId);
    },
  );
}

async function mailReset(
  { users, passwordResets, config }: Services,
  mailer: Mailer,
  email: string,
): Promise<void> {
  const user = await users.find(email);
  if (!user || user.isDisabled) return;
  const { token } = await passwordResets.create(user.userId, { mailed: true });
  await mailer.send(resetMail(user.email, resetLink(config.publicUrl ?? '', token)));
}
