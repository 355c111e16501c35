import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { signIn, signInOptionsQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { ownPath } from '../../lib/own-path.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { CodeStep } from './code-step.tsx';
import { LoginFrame } from './login-frame.tsx';
import { providerError } from './provider-error.ts';
import { Providers } from './providers.tsx';

const route = getRouteApi('/login');

export default function Login() {
  const { next: wanted, error, ended } = route.useSearch();
  const next = ownPath(wanted);
  const router = useRouter();
  const { data: options } = useQuery(signInOptionsQuery);
  const [needsCode, setNeedsCode] = useState(false);

  const [email, setEmail] = useState('');

  // Until the next page is shown, so that the button stays busy and nobody clicks it again.
  const enter = async () => {
    queryClient.clear();
    await router.navigate({ href: next });
  };
  const submit = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => signIn(email, password),
    onSuccess: ({ status }) => (status === 'totp_required' ? setNeedsCode(true) : enter()),
  });

  if (needsCode) return <CodeStep onVerified={enter} onBack={() => setNeedsCode(false)} />;
  return (
    <LoginFrame title="Sign in">
      {ended !== undefined && <Notice role="status">Your session has ended. Sign in again.</Notice>}
      {error !== undefined && !submit.error && <Problem error={providerError(error)} />}
      <form className="grid gap-4" onSubmit={(event) => submit.mutate(formText(event, 'email', 'password'))}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          onChange={({ target: { value } }) => setEmail(value)}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Problem error={submit.error} />
        <Button type="submit" look="primary" pending={submit.isPending}>
          Sign in
        </Button>
      </form>
      <Providers returnTo={next} />
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
    </LoginFrame>
  );
}
