import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { signInOptionsQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { ownPath } from '../../lib/own-path.ts';
import { Notice } from '../../ui/notice.tsx';
import { LoginFrame } from './login-frame.tsx';
import { providerError } from './provider-error.ts';
import { SignInForm } from './sign-in-form.tsx';

const route = getRouteApi('/login');

export default function Login() {
  const { next: wanted, error, ended } = route.useSearch();
  const next = ownPath(wanted);
  const router = useRouter();
  const { data: options } = useQuery(signInOptionsQuery);
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
        error={error === undefined ? null : providerError(error)}
        onEntered={enter}
        onStep={setStep}
        links={(email) => (
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
        )}
      />
    </LoginFrame>
  );
}
