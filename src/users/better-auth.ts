import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { fieldsOf, type JsonObject } from '../../packages/small/src/json.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { maxNameLength } from '../keys/key.ts';
import { isForeignKeyViolation } from '../lib/database.ts';
import { emailKey, isEmail, localPart } from '../lib/email.ts';
import { newId } from '../lib/ids.ts';
import { publicPath } from '../lib/public-path.ts';
import type { SessionUser } from '../organizations/access.ts';
import { oidcProvider } from './oidc-provider.ts';
import { digestPassword, isPassword, passwordLength } from './passwords.ts';
import { loggingRefusal, mapProfile, note, notedMemberships, noteReport } from './refused-sign-ins.ts';
import type { AskLibrary, AuthAnswer, AuthDatabase, SignInSettings } from './sign-in.ts';

/** The path of the library below the service's address. */
const ownPath = '/auth';
/** Carries the client's address from `ask` to the library. The client's own headers never get there. */
const addressHeader = 'x-embedgate-address';
const daySeconds = 86_400;
/** Users must not be able to set it. */
const flag = { type: 'boolean', required: false, defaultValue: false, input: false } as const;

type Auth = ReturnType<typeof createAuth>;

/** Opens better-auth as this service uses it. `discovery` is the discovery document of the OpenID Connect provider. */
export async function openSignIn(settings: SignInSettings, discovery: JsonObject): Promise<AskLibrary> {
  const auth = createAuth(settings, await settings.database());
  if (settings.oidc) (await auth.$context).socialProviders.push(oidcProvider(settings.oidc, discovery));
  const basePath = publicPath(settings.publicUrl) + ownPath;

  return {
    async ask({ method, path, origin, cookie, userAgent, address, body }) {
      const headers = new Headers({ origin, [addressHeader]: address });
      if (cookie) headers.set('cookie', cookie);
      if (userAgent) headers.set('user-agent', userAgent);
      if (body !== undefined) headers.set('content-type', 'application/json');
      const request = new Request(`${origin}${basePath}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return loggingRefusal(settings, path, async () => answerOf(await auth.handler(request)));
    },

    async session(cookie) {
      const asked = { headers: new Headers({ cookie }), returnHeaders: true as const };
      const { response, headers } = await auth.api.getSession(asked).catch((reason) => {
        throw unavailable(reason);
      });
      // A session that began while its user was disabled is not valid.
      if (!response || response.user.isDisabled === true || isPast(settings, response.session))
        return undefined;
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

/** Reports whether a session is older than `SESSION_DAYS`. It is renewed like any other, so its end does not say so. */
const isPast = ({ sessionDays }: SignInSettings, { createdAt }: { createdAt: Date }): boolean =>
  sessionDays !== null && Date.now() - createdAt.getTime() >= sessionDays * daySeconds * 1_000;

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
  const path = publicPath(publicUrl);
  const noting = { mapProfileToUser: mapProfile };
  return betterAuth({
    appName: 'Embedgate',
    basePath: path + ownPath,
    // The library would take a path of this address for the whole path of its own.
    ...(publicUrl && { baseURL: new URL(publicUrl).origin }),
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
    session: { modelName: 'sessions', expiresIn: 7 * daySeconds, updateAge: 3_600 },
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
      ...(settings.github && { github: { ...settings.github, ...noting } }),
      ...(settings.google && { google: { ...settings.google, ...noting } }),
    },
    plugins: [
      twoFactor({
        issuer: 'Embedgate',
        schema: { twoFactor: { modelName: 'two_factors' } },
        // A lockout would let everyone who has the password keep the owner out. bounds.ts counts guesses instead.
        accountLockout: { enabled: false },
      }),
      challenges,
    ],
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: await admitNewcomer(settings, user) }) } },
      session: {
        create: {
          async before(session, context) {
            await requireEnabled(settings, session.userId);
            const { state } = fieldsOf(context?.query);
            if (typeof state === 'string' && !(await settings.claimState(state)))
              throw new APIError('FORBIDDEN', { code: 'state_mismatch' });
            const memberships = notedMemberships();
            if (memberships) await settings.setMapped(session.userId, memberships);
            return { data: { ...session, ipAddress: context?.headers?.get(addressHeader) ?? null } };
          },
        },
        delete: {
          // Only a look-up deletes what has expired. With a wrong clock, that may be all sessions.
          before: async (_session, context) => context?.path !== '/get-session' || settings.isClockTrusted(),
        },
      },
    },
    // Attempts are counted before the library is called, across all replicas.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'embedgate',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      ipAddress: { disableIpTracking: true },
      ...(path && { defaultCookieAttributes: { path } }),
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
        const isNoted = noteReport(message, details);
        settings.log(reason && !isNoted ? 'warn' : 'debug', `better-auth: ${message}`, reason);
      },
    },
    // Without this handler, the library prints refusals to stderr.
    onAPIError: {
      // Where a sign-in leads that belongs to no attempt of this browser.
      errorURL: `${path}/login`,
      onError(reason) {
        // Every foreign key of the library's tables leads to the user, who was deleted while they signed in.
        if (isForeignKeyViolation(reason)) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_FOUND' });
        if (isRefusal(reason)) return;
        // The response is 500, which is logged as an error, unless the database is out of reach.
        settings.log('warn', 'signing in failed', reason);
        if (reason instanceof ServiceError && reason.code === 'unavailable') throw asRefusal(reason);
        // The router would print any other error to stderr.
        if (!(reason instanceof APIError)) throw new APIError('INTERNAL_SERVER_ERROR');
      },
    },
  } satisfies BetterAuthOptions);
}

/** Converts a ServiceError. The library would turn any error that is not its own into an internal error. */
function refusable<R>(work: Promise<R>): Promise<R> {
  return work.catch((reason) => {
    throw reason instanceof ServiceError ? asRefusal(reason) : reason;
  });
}

const asRefusal = ({ code, message }: ServiceError): APIError =>
  new APIError('SERVICE_UNAVAILABLE', { code: code.toUpperCase(), message });

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

type ValidateUserInfo = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>;

/**
 * Decides which users of a provider may sign in. A provider must report the address as verified before it creates an
 * account or is linked to one. If the account's address was never verified, a stranger could have created the account:
 * it loses every other way to sign in first, or, if it is an administrator's, is not linked at all.
 */
function providerRules({ makeWayForProvider }: SignInSettings): ValidateUserInfo {
  return async ({ user, source }) => {
    // An account that is already linked belongs to the person who signs in, even if their address has changed.
    if (source.method !== 'oauth' || source.action === 'sign-in') return undefined;
    if (!isEmail(user.email ?? '')) return { error: 'email_not_found' };
    if (user.emailVerified !== true) return { error: 'email_not_verified' };
    if (source.action !== 'link-account') return undefined;
    const isFree = user.id !== undefined && (await makeWayForProvider(user.id));
    if (isFree) return undefined;
    note({ step: 'the account is disabled, or is an administrator’s whose address was never proved' });
    return { error: 'account_not_linked' };
  };
}

/** Throws if the user is disabled, however they sign in. */
async function requireEnabled({ isDisabled }: SignInSettings, userId: string): Promise<void> {
  if (!(await isDisabled(userId))) return;
  throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: 'This account is disabled' });
}

interface NewcomerFields {
  readonly email: string;
  readonly name: string;
}

/**
 * Returns the cleaned fields of a new account. Throws if sign-up is closed, the address has no invitation, and no claim
 * gives a membership.
 */
async function admitNewcomer<U extends NewcomerFields>(
  { isSignUpOpen, isInvited }: SignInSettings,
  user: U,
): Promise<U & { image: null }> {
  const mapped = notedMemberships();
  if (!isSignUpOpen && !mapped?.size && !(await isInvited(user.email))) {
    throw new APIError(
      'FORBIDDEN',
      mapped
        ? { code: 'no_mapped_value', message: 'No group or role of this person gives access' }
        : { code: 'SIGN_UP_CLOSED', message: 'Sign-up is closed' },
    );
  }
  const email = emailKey(user.email);
  return { ...user, email, name: cleanName(user.name, email), image: null };
}

/** Users choose their names at the provider, where our rules do not apply. */
function cleanName(name: string, email: string): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
    .trim();
  return clean === '' ? localPart(email).slice(0, maxNameLength) : clean;
}
