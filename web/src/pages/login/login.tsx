import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { signInOptionsQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { ownPath } from '../../lib/own-path.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Notice } from '../../ui/notice.tsx';
import { LoginFrame } from './login-frame.tsx';
import { SignInForm } from './sign-in-form.tsx';

const route = getRouteApi('/login');

/** By the error code of a failed sign-in with a provider. */
const explanations: Readonly<Record<string, string>> = {
  SIGN_UP_CLOSED: 'There is no account with this email address. Ask for an invitation.',
  no_mapped_value:
    'Your account at the provider has no group or role that gives access here. Ask an administrator of this service.',
  ACCOUNT_DISABLED: 'This account is disabled. Ask an administrator to enable it.',
  account_not_linked:
    'An account with this email address signs in another way. Use its password, or ask an administrator.',
  email_not_verified:
    'The provider does not state that your email address is verified. Verify it there, or ask an administrator ' +
    'of this service.',
  access_denied: 'The provider was not allowed to sign you in.',
  email_not_found:
    'The provider did not share an email address that works here. Ask an administrator of this service.',
  invalid_code:
    'The provider refused this service, not you. Ask an administrator of this service to read its log.',
  unable_to_get_user_info:
    'This service could not check the provider’s response. Ask an administrator of this service to read its log.',
  state_mismatch: 'The sign-in took too long, or began in another browser. Start it again.',
};
const unexplained = 'The sign-in did not succeed. Try again, or ask an administrator.';

export default function Login() {
  const { next: wanted, error, ended } = route.useSearch();
  const next = ownPath(wanted);
  const router = useRouter();
  const { data: options } = useQuery(signInOptionsQuery);
  const hasPasswords = usePasswords();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const enter = async () => {
    queryClient.clear();
    await router.navigate({ href: next });
  };
  return (
    <LoginFrame title={step === 'code' ? 'Enter your code' : 'Sign in'}>
      {ended !== undefined && step === 'password' && (
        <Notice role="status">Your session has ended. Sign in again.</Notice>
      )}
      <SignInForm
        returnTo={next}
        error={error === undefined ? null : new Error(explanations[error] ?? unexplained)}
        onEntered={enter}
        onStep={setStep}
        links={(email) =>
          hasPasswords && (
            <p className="flex flex-wrap justify-between gap-2">
              <Link to="/login/forgot" state={{ email }} className="text-accent underline">
                Forgot your password?
              </Link>
              {options?.sign_up === 'open' && (
                <Link to="/login/sign-up" className="text-accent underline">
                  Create an account
                </Link>
              )}
            </p>
          )
        }
      />
    </LoginFrame>
  );
}
