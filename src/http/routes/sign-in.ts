import { fieldsOf } from '../../../packages/small/src/json.ts';
import { ErrorBody } from '../../api/error.ts';
import { SignInRequest, SignInResponse, TotpSignInRequest } from '../../api/sign-in.ts';
import { ServiceError } from '../../errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { Services } from '../../service/services.ts';
import { admitCode, refusedCode } from '../../users/bounds.ts';
import { requireUsable } from '../../users/emergency.ts';
import { withPlace } from '../../users/passwords.ts';
import type { Credentials } from '../../users/user.ts';
import type { App } from '../app-types.ts';
import { described } from '../described.ts';
import { forwardSignIn, refuseNul } from '../forward.ts';

/**
 * Registers the routes to sign in with a password, in one or two steps. The browser becomes known after the last step.
 */
export function signInRoutes(app: App, services: Services): void {
  const { users, attempts, devices, signIn, config, clock } = services;
  /**
   * Credentials may be replaced after they were checked. That ends all existing sessions, but not one that is about to
   * start.
   */
  const refusedSince = async (checked: Credentials | undefined): Promise<ServiceError | undefined> => {
    const now = checked && (await users.credentials(checked.userId));
    if (now && now.version === checked.version) return undefined;
    return new ServiceError('invalid_credentials', 'Wrong email or password');
  };

  app.post(
    '/v1/auth/sign-in',
    described({ waitsFor: 'work', signsIn: 'password' }, 'signIn', 'Sign in with email and password', {
      description:
        'The number of attempts per IP address and per email address is limited. Above the limit, the status ' +
        'is 429, and `Retry-After` says when to try again. A browser that has signed in as this user before ' +
        'has a limit of its own.',
      body: SignInRequest,
      response: { 200: SignInResponse, 401: ErrorBody, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { email, password } = request.body;
      const question = { path: '/sign-in/email', body: { email, password, rememberMe: true } };
      refuseNul(question);
      // Must be read before the password is checked: a password that is changed in the meantime must not make the
      // browser known.
      const credentials = await users.credentialsByEmail(email);
      requireUsable(config, credentials, clock);
      const device = credentials && devices.find(request.headers.cookie, credentials);
      const sender = { network: networkOf(request.ip), isKnown: device !== undefined };
      // A place comes before the count: other people's passwords must not use up the attempts of someone who tries
      // again.
      const { twoFactorRedirect } = await withPlace(sender, async () => {
        const forgive = await attempts.admit(request.ip, email, device);
        const answer = await forwardSignIn(services, request, reply, question, () =>
          refusedSince(credentials),
        );
        await forgive().catch((reason) =>
          services.log.warn({ err: reason }, 'a correct sign-in stays counted as an attempt'),
        );
        return fieldsOf(answer.body);
      });
      if (twoFactorRedirect) return { status: 'totp_required' as const };
      if (credentials && device === undefined) reply.header('set-cookie', devices.cookie(credentials));
      return { status: 'signed_in' as const };
    },
  );

  app.post(
    '/v1/auth/sign-in/totp',
    described({ waitsFor: 'work', signsIn: 'code' }, 'signInWithCode', 'Send the code of the second factor', {
      description:
        'The second step of a sign-in. The number of codes per user is limited, separately for authenticator ' +
        'codes and backup codes. Above the limit, the status is 429, and `Retry-After` says when to try again. ' +
        'A browser that has signed in as this user before has a limit of its own. The status is 401 if the ' +
        'first step was more than ten minutes ago.',
      body: TotpSignInRequest,
      response: { 200: SignInResponse, 401: ErrorBody, 429: ErrorBody },
    }),
    async (request, reply) => {
      const { code, backup_code, trust_device: trustDevice = false } = request.body;
      const challenge = await signIn.challenge(request.headers.cookie ?? '');
      const credentials = challenge && (await users.credentials(challenge.userId));
      if (!credentials) throw new ServiceError('invalid_credentials', 'Sign in with the password first');
      const device = devices.find(request.headers.cookie, credentials);
      const kind = backup_code === undefined ? ('totp' as const) : ('backup' as const);
      const { userId } = credentials;
      await admitCode(attempts, { kind, userId, address: request.ip, ...(device && { device }) });
      const question = {
        // Leaves out any session of the browser: the library would check the code for that session's user.
        cookie: challenge.cookie,
        body: { code: (backup_code ?? code ?? '').trim(), trustDevice },
      };
      const path = kind === 'totp' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
      await forwardSignIn(services, request, reply, { ...question, path }, async () => {
        // A backup code already works only once.
        const refused = kind === 'totp' ? await refusedCode(attempts, userId, question.body.code) : undefined;
        return refused ?? refusedSince(credentials);
      });
      if (device === undefined) reply.header('set-cookie', devices.cookie(credentials));
      return { status: 'signed_in' as const };
    },
  );
}
