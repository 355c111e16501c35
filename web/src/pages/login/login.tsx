import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { auth } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { CodeStep } from './code-step.tsx';
import { LoginFrame } from './login-frame.tsx';

const route = getRouteApi('/login');

export default function Login() {
  const { next } = route.useSearch();
  const router = useRouter();
  const [needsCode, setNeedsCode] = useState(false);

  const enter = async () => {
    queryClient.clear();
    // A path of our own only: `next` comes from the address, which anybody may have written.
    router.history.push(next?.startsWith('/') && !next.startsWith('//') ? next : '/organizations');
  };
  const signIn = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => auth.signIn(email, password),
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect ? setNeedsCode(true) : enter()),
  });

  if (needsCode) return <CodeStep onVerified={enter} onBack={() => setNeedsCode(false)} />;
  return (
    <LoginFrame title="Sign in">
      <form className="grid gap-4" onSubmit={(event) => signIn.mutate(formText(event, 'email', 'password'))}>
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Problem error={signIn.error} />
        <Button type="submit" look="primary" pending={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p>
        <Link to="/login/forgot" className="text-accent underline">
          Forgotten your password?
        </Link>
      </p>
    </LoginFrame>
  );
}
