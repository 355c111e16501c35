import { admitResetMail } from '../../accounts/mail-bounds.ts';
import { resetLink, resetMail } from '../../accounts/mails.ts';
import type { Mailer } from '../../lib/mailer.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { rememberBrowser } from '../remember-browser.ts';
import { ForgotPasswordRequest, ForgotPasswordResponse, ResetPasswordRequest } from '../schemas/accounts.ts';
import { bodyErrors, ErrorBody, NoContent } from '../schemas/common.ts';

const tags = ['Sign-in'];

/** Forgotten passwords: public, like signing in. */
export function passwordRoutes(app: App, services: Services): void {
  const { attempts } = services;
  const errors = { ...bodyErrors, 401: ErrorBody, 403: ErrorBody, 429: ErrorBody };

  app.post(
    '/v1/auth/password/forgot',
    {
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a link to choose a new password',
        tags,
        body: ForgotPasswordRequest,
        response: { 200: ForgotPasswordResponse, ...errors },
      },
    },
    async (request) => {
      const { email } = request.body;
      await attempts.admit(request.ip);
      if (!services.mailer) {
        services.log.info('a new password was asked for, and there is no SMTP_URL to send a link by');
        return { status: 'ask_administrator' as const };
      }
      await admitResetMail(attempts, email);
      // Not waited for: how long it takes would tell whether there is such a user.
      mailReset(services, services.mailer, email).catch((reason) =>
        services.log.warn({ err: reason }, 'a password reset could not be mailed'),
      );
      return { status: 'sent' as const };
    },
  );

  app.post(
    '/v1/auth/password/reset',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Choose a new password with the token of a link',
        description:
          'Ends all sessions of the user and all their other links. A mailed link also proves the address. An account whose address was never proved loses its links to providers and its second factor.',
        tags,
        body: ResetPasswordRequest,
        response: { 204: NoContent, ...errors },
      },
    },
    async (request, reply) => {
      const { token, new_password: newPassword } = request.body;
      await attempts.admit(request.ip);
      const userId = await services.passwordResets.use(token, newPassword);
      // While a stranger guesses at the password, the user can still sign in with the new one.
      await rememberBrowser(services, reply, userId);
      return reply.code(204).send(null);
    },
  );
}

async function mailReset(
  { accounts, passwordResets, config }: Services,
  mailer: Mailer,
  email: string,
): Promise<void> {
  const user = await accounts.find(email);
  if (!user || user.isDisabled) return;
  const { token } = await passwordResets.create(user.userId, { mailed: true });
  await mailer.send(resetMail(user.email, resetLink(config.publicUrl ?? '', token)));
}
