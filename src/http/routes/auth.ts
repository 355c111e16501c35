import { Type } from 'typebox';
import { fieldsOf } from '../../../packages/small/src/json.ts';
import { NoContent } from '../../api/common.ts';
import { ErrorBody } from '../../api/error.ts';
import {
  ProviderSignInRequest,
  ProviderSignInResponse,
  SignInOptionsResponse,
  SignInResponse,
  SignOutResponse,
  SignUpRequest,
} from '../../api/sign-in.ts';
import { invalidField, ServiceError } from '../../errors.ts';
import { validName } from '../../keys/key.ts';
import { validEmail } from '../../lib/email.ts';
import { publicPath } from '../../lib/public-path.ts';
import type { Services } from '../../service/services.ts';
import { requirePasswords } from '../../users/emergency.ts';
import { mayHaveSession } from '../../users/lazy-sign-in.ts';
import { requirePassword } from '../../users/passwords.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { forward } from '../forward.ts';
import { refuseForeignOrigin } from '../origin.ts';
import { passwordRoutes } from './passwords.ts';
import { signInRoutes } from './sign-in.ts';

const afterSignIn = '/organizations';
const byProvider = { waitsFor: 'work', signsIn: 'provider' } as const;

/**
 * Registers the routes to sign in and out. They are public, limit attempts, and refuse requests from other sites'
 * pages.
 */
export function authRoutes(app: App, services: Services): void {
  const { config, users, attempts, devices } = services;
  const prefix = publicPath(config.publicUrl);

  app.addHook('onRequest', async (request) => {
    // Another site's page must not sign a person in as someone else. Programs that are not browsers send no origin.
    if (request.headers.origin !== undefined) refuseForeignOrigin(request, config.publicUrl);
  });

  app.get(
    '/v1/auth/options',
    described('public', 'getSignInOptions', 'Get the options of the sign-in page', {
      response: { 200: SignInOptionsResponse },
    }),
    async ({ headers }) => ({
      password_sign_in: config.hasPasswords ? ('on' as const) : ('off' as const),
      sign_up: config.isSignUpOpen ? ('open' as const) : ('closed' as const),
      password_reset: services.mailer ? ('mail' as const) : ('administrator' as const),
      providers: [
        ...(config.github ? [{ id: 'github', name: 'GitHub' }] : []),
        ...(config.google ? [{ id: 'google', name: 'Google' }] : []),
        ...(config.oidc ? [{ id: 'oidc', name: config.oidc.name }] : []),
      ],
      contact: config.contactEmail,
      has_session: mayHaveSession(headers.cookie),
    }),
  );

  signInRoutes(app, services);

  app.post(
    '/v1/auth/sign-in/provider',
    described(byProvider, 'signInWithProvider', 'Start a sign-in with GitHub, Google or OpenID Connect', {
      description:
        'The provider redirects the browser to `/auth/callback/{provider}`, which redirects it to `return_to`.',
      body: ProviderSignInRequest,
      response: { 200: ProviderSignInResponse, 401: ErrorBody, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { provider, return_to: callbackURL = afterSignIn } = request.body;
      if (!config[provider]) {
        throw invalidField('provider', `The provider ${provider} is not configured`);
      }
      const body = {
        provider,
        callbackURL: prefix + callbackURL,
        errorCallbackURL: `${prefix}/login`,
        disableRedirect: true,
      };
      const answer = await forward(services, request, reply, { path: '/sign-in/social', body });
      const { url } = fieldsOf(answer.body);
      if (typeof url !== 'string') throw new TypeError(`no address to sign in at ${provider}`);
      return { url };
    },
  );

  app.post(
    '/v1/auth/sign-up',
    described('public', 'signUp', 'Create an account', {
      description:
        'Available if the service is started with `SIGN_UP=open`. Otherwise people need an invitation.',
      body: SignUpRequest,
      response: { 200: SignInResponse, 401: ErrorBody, 429: ErrorBody },
    }),
    async (request, reply) => {
      requirePasswords(config);
      if (!config.isSignUpOpen)
        throw new ServiceError('forbidden', 'Sign-up is closed: ask for an invitation');
      const { password } = request.body;
      await attempts.admit(request.ip, request.body.email);
      const body = { email: validEmail(request.body.email), name: validName(request.body.name), password };
      requirePassword(password);
      await forward(services, request, reply, { path: '/sign-up/email', body });
      const credentials = await users.credentialsByEmail(body.email);
      if (credentials) reply.header('set-cookie', devices.cookie(credentials));
      return { status: 'signed_in' as const };
    },
  );

  app.post(
    '/v1/auth/sign-out',
    described('public', 'signOut', 'End the session', {
      response: { 200: SignOutResponse, 204: NoContent },
    }),
    async (request, reply) => {
      if (!request.headers.cookie) return reply.code(204).send(null);
      refuseForeignOrigin(request, config.publicUrl);
      const body = { callbackURL: `${prefix}/login`, disableRedirect: true };
      const answer = await forward(services, request, reply, { path: '/sign-out', body });
      const { url } = fieldsOf(answer.body);
      return typeof url === 'string' ? { url } : reply.code(204).send(null);
    },
  );

  passwordRoutes(app, services);
}

/** Registers the page that providers redirect browsers to. Pages are not part of the API's description. */
export function callbackRoute(app: App, services: Services): void {
  const elsewhere = publicPath(services.config.publicUrl) + afterSignIn;
  const params = Type.Object({ provider: Type.String({ pattern: '^(github|google|oidc)$' }) });
  app.get(
    '/auth/callback/:provider',
    { config: byProvider, schema: { hide: true, params } },
    async (request, reply) => {
      const { search } = new URL(request.url, 'http://localhost');
      const path = `/callback/${request.params.provider}${search}`;
      const { location } = await forward(services, request, reply, { method: 'GET', path });
      return reply.redirect(location ?? elsewhere, 302);
    },
  );
}
