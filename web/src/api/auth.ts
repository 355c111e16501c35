import { problemOf, unreachable } from './problem.ts';

/** The sign-in's own endpoints, which are better-auth's and stand in no OpenAPI document. */
const path = '/auth';

export interface Session {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly isAdmin?: boolean | null;
    readonly twoFactorEnabled?: boolean | null;
  };
}

async function send<Answer>(endpoint: string, body?: object): Promise<Answer> {
  const response = await fetch(`${path}/${endpoint}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw unreachable();
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response.status, answer);
  return answer as Answer;
}

export const auth = {
  /** null: nobody is signed in. */
  session: () => send<Session | null>('get-session'),
  /** `twoFactorRedirect`: a code is still needed. */
  signIn: (email: string, password: string) =>
    send<{ twoFactorRedirect?: boolean }>('sign-in/email', { email, password }),
  verifyCode: (code: string) => send('two-factor/verify-totp', { code }),
  verifyBackupCode: (code: string) => send('two-factor/verify-backup-code', { code }),
  signOut: () => send('sign-out', {}),
  requestPasswordReset: (email: string) =>
    send('request-password-reset', { email, redirectTo: '/login/reset' }),
  resetPassword: (token: string, newPassword: string) => send('reset-password', { token, newPassword }),
  changePassword: (currentPassword: string, newPassword: string) =>
    send('change-password', { currentPassword, newPassword, revokeOtherSessions: true }),
  enableTwoFactor: (password: string) =>
    send<{ totpURI: string; backupCodes: string[] }>('two-factor/enable', { password }),
  disableTwoFactor: (password: string) => send('two-factor/disable', { password }),
};
