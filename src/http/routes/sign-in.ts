import type { Credentials } from '../../accounts/accounts.ts';
import { admitCode, refusedCode } from '../../accounts/code-bounds.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../service/services.ts';
import type { App } from '../app-types.ts';
import { forwardSignIn, refuseNul } from '../forward.ts';
import { SignInRequest, SignInResponse, TotpSignInRequest } from '../schemas/accounts.ts';
import { bodyErrors, ErrorBody } from '../schemas/common.ts';

const tags = ['Sign-in'];

/** Signing in with a password, in one step or two. A browser becomes known after the last one. */
export function signInRoutes(app: App, services: Services): void {
  const { accounts, attempts, challenges, devices } = services;
  /** What was checked may have been replaced meanwhile: such a change ends the sessions that there are, and not one that begins just then. */
  const refusedSince = async (checked: Credentials | undefined): Promise<ServiceError | undefined> => {
    const now = checked && (await accounts.credentials(checked.userId));
    if (now && now.version === checked.version) return undefined;
    return new ServiceError('invalid_credentials', 'Wrong e-mail or password');
  };
  const errors = { ...bodyErrors, 401: ErrorBody, 403: ErrorBody, 429: ErrorBody };

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
      const question = {
        method: 'POST' as const,
        path: '/sign-in/email',
        body: { email, password, rememberMe: true },
      };
      refuseNul(question);
      // Before the password is checked: one that is changed meanwhile makes no browser known.
      const credentials = await accounts.credentialsByEmail(email);
      const device = credentials && devices.find(request.headers.cookie, credentials);
      await attempts.admit(request.ip, email, device);
      const answer = await forwardSignIn(services, request, reply, question, () => refusedSince(credentials));
      const { twoFactorRedirect } = answer.body as { twoFactorRedirect?: boolean };
      if (twoFactorRedirect && credentials) {
        reply.header('set-cookie', challenges.begin(credentials.userId, answer.setCookies));
        return { status: 'totp_required' as const };
      }
      if (credentials && device === undefined) reply.header('set-cookie', devices.cookie(credentials));
      return { status: 'signed_in' as const };
    },
  );

  app.post(
    '/v1/auth/sign-in/totp',
    {
      schema: {
        operationId: 'signInWithCode',
        summary: 'The second step of a sign-in with a second factor',
        description:
          'Codes are bounded by user, and codes of an authenticator and backup codes apart; beyond, 429 says when to try again. A browser that has signed in as this user before has an allowance of its own. 401 without a first step in the last ten minutes.',
        tags,
        body: TotpSignInRequest,
        response: { 200: SignInResponse, ...errors },
      },
    },
    async (request, reply) => {
      const { code, backup_code, trust_device: trustDevice = false } = request.body;
      const challenge = challenges.find(request.headers.cookie);
      const credentials = challenge && (await accounts.credentials(challenge.userId));
      if (!credentials) throw new ServiceError('invalid_credentials', 'Sign in with the password first');
      const device = devices.find(request.headers.cookie, credentials);
      const kind = backup_code === undefined ? ('totp' as const) : ('backup' as const);
      const { userId } = credentials;
      await admitCode(attempts, { kind, userId, address: request.ip, ...(device && { device }) });
      const question = {
        method: 'POST' as const,
        // Without a session that the browser may have: the library would check the code of that user.
        cookie: challenge.cookie,
        body: { code: (backup_code ?? code ?? '').trim(), trustDevice },
      };
      const path = kind === 'totp' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
      await forwardSignIn(services, request, reply, { ...question, path }, async () => {
        // A backup code is good for one sign-in by itself.
        const refused = kind === 'totp' ? await refusedCode(attempts, userId, question.body.code) : undefined;
        return refused ?? refusedSince(credentials);
      });
      if (device === undefined) reply.header('set-cookie', devices.cookie(credentials));
      return { status: 'signed_in' as const };
    },
  );
}
