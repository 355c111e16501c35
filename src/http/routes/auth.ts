import type { FastifyRequest } from 'fastify';
import { validEmail } from '../../accounts/email.ts';
import { admitResetMail } from '../../accounts/mail-bounds.ts';
import { resetLink, resetMail } from '../../accounts/mails.ts';
import { requirePassword } from '../../accounts/passwords.ts';
import { ServiceError } from '../../errors.ts';
import { validName } from '../../keys/valid-name.ts';
import type { Mailer } from '../../lib/mailer.ts';
import type { Services } from '../../services.ts';
import type { App } from '../app-types.ts';
import { forward, forwardCode } from '../forward.ts';
import { refuseForeignOrigin } from '../origin.ts';
import {
  ForgotPasswordRequest,
  ForgotPasswordResponse,
  ProviderSignInRequest,
  ProviderSignInResponse,
  ResetPasswordRequest,
  SignInOptionsResponse,
  SignInRequest,
  SignInResponse,
  SignUpRequest,
  TotpSignInRequest,
} from '../schemas/accounts.ts';
import { bodyErrors, ErrorBody, NoContent } from '../schemas/common.ts';
import { Type } from '../schemas/type.ts';

const tags = ['Sign-in'];
const afterSignIn = '/organizations';

/** Signing in and out: public, bounded by attempts, and only for the service's own pages or none. */
export function authRoutes(app: App, services: Services): void {
  const { config, attempts, devices } = services;
  const errors = { ...bodyErrors, 401: ErrorBody, 403: ErrorBody, 429: ErrorBody };
  const admit = (request: FastifyRequest, email?: string) => attempts.admit(request.ip, email);

  app.addHook('onRequest', async (request) => {
    // A foreign page must not sign somebody in as somebody else. Who is no browser sends no origin.
    if (request.headers.origin !== undefined) refuseForeignOrigin(request, config.publicUrl);
  });

  app.get(
    '/v1/auth/options',
    {
      schema: {
        operationId: 'getSignInOptions',
        summary: 'What a sign-in page offers',
        tags,
        response: { 200: SignInOptionsResponse, 500: ErrorBody },
      },
    },
    async () => ({
      sign_up: config.isSignUpOpen ? ('open' as const) : ('closed' as const),
      password_reset: services.mailer ? ('mail' as const) : ('administrator' as const),
      providers: [
        ...(config.github ? [{ id: 'github', name: 'GitHub' }] : []),
        ...(config.google ? [{ id: 'google', name: 'Google' }] : []),
        ...(config.oidc ? [{ id: 'oidc', name: config.oidc.name }] : []),
      ],
    }),
  );

  app.post(
    '/v1/auth/sign-in',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with e-mail and password',
        description:
          'Attempts are bounded by address and e-mail; beyond, 429 says when to try again. A browser that has signed in as this user before has an allowance of its own.',
        tags,
        body: SignInRequest,
        response: { 200: SignInResponse, ...errors },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const device = devices.find(request.headers.cookie, email);
      await attempts.admit(request.ip, email, device);
      const body = { email, password, rememberMe: true };
      const answer = await forward(services, request, reply, {
        method: 'POST',
        path: '/sign-in/email',
        body,
      });
      if (device === undefined) reply.header('set-cookie', devices.cookie(email));
      const { twoFactorRedirect } = answer.body as { twoFactorRedirect?: boolean };
      return { status: twoFactorRedirect ? ('totp_required' as const) : ('signed_in' as const) };
    },
  );

  app.post(
    '/v1/auth/sign-in/totp',
    {
      schema: {
        operationId: 'signInWithCode',
        summary: 'The second step of a sign-in with a second factor',
        tags,
        body: TotpSignInRequest,
        response: { 200: SignInResponse, ...errors },
      },
    },
    async (request, reply) => {
      const { code, backup_code, trust_device: trustDevice = false } = request.body;
      await admit(request);
      const body = { code: (backup_code ?? code ?? '').trim(), trustDevice };
      // A backup code is good for one sign-in by itself.
      if (backup_code === undefined) {
        const path = '/two-factor/verify-totp';
        await forwardCode(services, request, reply, { method: 'POST', path, body });
      } else {
        const path = '/two-factor/verify-backup-code';
        await forward(services, request, reply, { method: 'POST', path, body });
      }
      return { status: 'signed_in' as const };
    },
  );

  app.post(
    '/v1/auth/sign-in/provider',
    {
      schema: {
        operationId: 'signInWithProvider',
        summary: 'Begin to sign in with GitHub, Google or OpenID Connect',
        description:
          'The provider sends the browser back to `/auth/callback/{provider}`, and that to `return_to`.',
        tags,
        body: ProviderSignInRequest,
        response: { 200: ProviderSignInResponse, ...errors },
      },
    },
    async (request, reply) => {
      const { provider, return_to: callbackURL = afterSignIn } = request.body;
      if (!config[provider]) {
        throw new ServiceError('invalid_request', `${provider} is not set up here`, { param: 'provider' });
      }
      const body = { provider, callbackURL, errorCallbackURL: '/login', disableRedirect: true };
      const answer = await forward(services, request, reply, {
        method: 'POST',
        path: '/sign-in/social',
        body,
      });
      return { url: (answer.body as { url: string }).url };
    },
  );

  app.post(
    '/v1/auth/sign-up',
    {
      schema: {
        operationId: 'signUp',
        summary: 'Make an account, where anybody may',
        description: 'Closed unless the service was told otherwise (`SIGN_UP=open`): people are invited.',
        tags,
        body: SignUpRequest,
        response: { 200: SignInResponse, ...errors },
      },
    },
    async (request, reply) => {
      if (!config.isSignUpOpen)
        throw new ServiceError('forbidden', 'Sign-up is closed: ask for an invitation');
      const { password } = request.body;
      await admit(request, request.body.email);
      const body = { email: validEmail(request.body.email), name: validName(request.body.name), password };
      requirePassword(password);
      await forward(services, request, reply, { method: 'POST', path: '/sign-up/email', body });
      reply.header('set-cookie', devices.cookie(body.email));
      return { status: 'signed_in' as const };
    },
  );

  app.post(
    '/v1/auth/sign-out',
    {
      schema: {
        operationId: 'signOut',
        summary: 'End the session',
        tags,
        response: { 204: NoContent, 403: ErrorBody, 500: ErrorBody, 503: ErrorBody },
      },
    },
    async (request, reply) => {
      if (request.headers.cookie) {
        refuseForeignOrigin(request, config.publicUrl);
        await forward(services, request, reply, { method: 'POST', path: '/sign-out', body: {} });
      }
      return reply.code(204).send(null);
    },
  );

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
      await admit(request);
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
      await admit(request);
      const { email } = await services.accounts.get(await services.passwordResets.use(token, newPassword));
      // While a stranger guesses at the password, the user can still sign in with the new one.
      reply.header('set-cookie', devices.cookie(email));
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
  if (!user) return;
  const { token } = await passwordResets.create(user.userId, { mailed: true });
  await mailer.send(resetMail(user.email, resetLink(config.publicUrl ?? '', token)));
}

/** Where providers send browsers back to. A page's address, so it is not part of the API's description. */
export function callbackRoute(app: App, services: Services): void {
  const params = Type.Object({ provider: Type.String({ pattern: '^(github|google|oidc)$' }) });
  app.get('/auth/callback/:provider', { schema: { hide: true, params } }, async (request, reply) => {
    const { search } = new URL(request.url, 'http://localhost');
    const path = `/callback/${request.params.provider}${search}`;
    const { location } = await forward(services, request, reply, { method: 'GET', path });
    return reply.redirect(location ?? afterSignIn, 302);
  });
}
