import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { ServiceError, unavailable } from '../errors.ts';
import { isForeignKeyViolation } from '../lib/database.ts';
import { newId } from '../lib/ids.ts';
import type { SessionUser } from '../organizations/access.ts';
import { discoveryUrl } from './oidc-sign-in.ts';
import { digestPassword, isPassword, passwordLength } from './passwords.ts';
import { admitNewcomer, providerRules, requireEnabled } from './provider-rules.ts';
import type { AskLibrary, AuthAnswer, AuthDatabase, SignInSettings } from './sign-in.ts';

const basePath = '/auth';
/** Carries the client's address from `ask` to the library. The client's own headers never get there. */
const addressHeader = 'x-embedgate-address';
const daySeconds = 86_400;
/** Users must not be able to set it. */
const flag = { type: 'boolean', required: false, defaultValue: false, input: false } as const;

type Auth = ReturnType<typeof createAuth>;

/** Opens better-auth as this service uses it. Throws when the OpenID Connect provider's configuration can't be used. */
export async function openSignIn(settings: SignInSettings): Promise<AskLibrary> {
  const auth = createAuth(settings, await settings.database());
  const context = await auth.$context;
  if (settings.oidc && !context.socialProviders.some(({ id }) => id === 'oidc')) {
    throw new Error(`${discoveryUrl(settings.oidc.issuer)} returned no usable configuration`);
  }

  return {
    async ask({ method, path, origin, cookie, userAgent, address, body }) {
      const headers = new Headers({ origin, [addressHeader]: address });
      if (cookie) headers.set('cookie', cookie);
      if (userAgent) headers.set('user-agent', userAgent);
      if (body !== undefined) headers.set('content-type', 'application/json');
      const response = await auth.handler(
        new Request(`${origin}${basePath}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      return answerOf(response);
    },

    async session(cookie) {
      const asked = { headers: new Headers({ cookie }), returnHeaders: true as const };
      const { response, headers } = await auth.api.getSession(asked).catch((reason) => {
        throw unavailable(reason);
      });
      // A session that began while its user was disabled is not valid.
      if (!response || response.user.isDisabled === true) return undefined;
      return { user: userOf(response), setCookies: headers.getSetCookie() };
    },

    async challenge(cookies) {
      const pairs = cookies.split(';').map((pair) => pair.trim());
      const cookie = pairs.filter((pair) => /^(__Secure-)?embedgate\.two_factor=/.test(pair)).join('; ');
      const userId = await auth.api.challengedUser({ headers: new Headers({ cookie }) }).catch((reason) => {
        throw unavailable(reason);
      });
      return userId === undefined ? undefined : { userId, cookie };
    },
  };
}

/** Finds whose code a sign-in is waiting for, as the plugin of the second factor does. It has no path. */
const challenges = {
  id: 'challenges',
  endpoints: {
    challengedUser: createAuthEndpoint({ method: 'GET', requireHeaders: true }, async (ctx) => {
      const { name } = ctx.context.createAuthCookie('two_factor');
      const identifier = await ctx.getSignedCookie(name, ctx.context.secret);
      if (!identifier) return undefined;
      return (await ctx.context.internalAdapter.findVerificationValue(identifier))?.value;
    }),
  },
};

function createAuth(settings: SignInSettings, database: AuthDatabase) {
  const { publicUrl, isSignUpOpen } = settings;
  return betterAuth({
    appName: 'Embedgate',
    basePath,
    ...(publicUrl && { baseURL: publicUrl }),
    secret: settings.secret,
    database,
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !isSignUpOpen,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: {
        hash: (password) => refusable(digestPassword(password)),
        verify: ({ hash, password }) => refusable(isPassword(password, hash)),
      },
    },
    session: { modelName: 'sessions', expiresIn: 7 * daySeconds, updateAge: daySeconds },
    user: {
      modelName: 'users',
      additionalFields: { isAdmin: flag, isDisabled: flag },
      validateUserInfo: providerRules(settings),
    },
    account: {
      modelName: 'credentials',
      encryptOAuthTokens: true,
      // providerRules decides: an account whose address was never verified loses its other credentials first.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    socialProviders: {
      ...(settings.github && { github: settings.github }),
      ...(settings.google && { google: settings.google }),
    },
    plugins: [
      twoFactor({
        issuer: 'Embedgate',
        schema: { twoFactor: { modelName: 'two_factors' } },
        // A lockout would let everyone who has the password keep the owner out. code-bounds.ts counts guesses instead.
        accountLockout: { enabled: false },
      }),
      challenges,
      ...(settings.oidc ? [genericOAuth({ config: [oidcConfig(settings.oidc)] })] : []),
    ],
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: await admitNewcomer(settings, user) }) } },
      session: {
        create: {
          async before(session, context) {
            await requireEnabled(settings, session.userId);
            return { data: { ...session, ipAddress: context?.headers?.get(addressHeader) ?? null } };
          },
        },
      },
    },
    // Attempts are counted before the library is called, across all replicas.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'embedgate',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      ipAddress: { disableIpTracking: true },
      database: {
        generateId: newId,
        // The migrations define the schema.
        validateSchema: false,
      },
    },
    // The library reports users' mistakes as errors, which should not alert an operator.
    logger: {
      level: 'error',
      log(_level, message, ...details) {
        const reason = details.find((detail) => detail instanceof Error);
        settings.log(reason ? 'warn' : 'debug', `better-auth: ${message}`, reason);
      },
    },
    // Without this handler, the library prints refusals to stderr.
    onAPIError: {
      onError(reason) {
        // Every foreign key of the library's tables leads to the user, who was deleted while they signed in.
        if (isForeignKeyViolation(reason)) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_FOUND' });
        if (isRefusal(reason)) return;
        // The response is 500, which is logged as an error, unless the user was deleted meanwhile.
        settings.log('warn', 'signing in failed', reason);
        // The router would print any other error to stderr.
        if (!(reason instanceof APIError)) throw new APIError('INTERNAL_SERVER_ERROR');
      },
    },
  } satisfies BetterAuthOptions);
}

function oidcConfig({ issuer, clientId, clientSecret, name }: NonNullable<SignInSettings['oidc']>) {
  return {
    providerId: 'oidc',
    name,
    clientId,
    clientSecret,
    discoveryUrl: discoveryUrl(issuer),
    scopes: ['openid', 'email', 'profile'],
    // Providers can send anything in a claim: only `true` counts.
    mapProfileToUser: ({ email_verified }: Record<string, unknown>) => ({
      emailVerified: email_verified === true,
    }),
  };
}

/** Converts a ServiceError. The library would turn any error that is not its own into an internal error. */
function refusable<R>(work: Promise<R>): Promise<R> {
  return work.catch((reason) => {
    if (!(reason instanceof ServiceError)) throw reason;
    throw new APIError('SERVICE_UNAVAILABLE', { code: 'OVERLOADED', message: reason.message });
  });
}

const isRefusal = (reason: unknown): boolean =>
  reason instanceof APIError && (reason.statusCode < 500 || reason.statusCode === 503);

function userOf({ user, session }: NonNullable<Auth['$Infer']['Session']>): SessionUser {
  return {
    userId: user.id,
    email: user.email,
    name: user.name,
    isAdmin: user.isAdmin === true,
    usesTotp: user.twoFactorEnabled === true,
    sessionId: session.id,
  };
}

async function answerOf(response: Response): Promise<AuthAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    body: isJson && text ? JSON.parse(text) : undefined,
    setCookies: response.headers.getSetCookie(),
    location: response.headers.get('location'),
  };
}
