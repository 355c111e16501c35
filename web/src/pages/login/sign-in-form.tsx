import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { signIn } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { CodeForm } from './code-form.tsx';
import { Providers } from './providers.tsx';

interface Props {
  /** The page that a provider leads back to. */
  returnTo: string;
  /** Called with a session. The button stays busy until this has settled, so that nobody clicks it again. */
  onEntered: () => unknown;
  /** Called when the form asks for the password, and when it asks for a code. */
  onStep?: (step: 'password' | 'code') => void;
  /** The error of an earlier attempt. */
  error?: Error | null;
  /** Links below the form, which may need the typed address. */
  links?: (email: string) => ReactNode;
}

/** Asks for an address and a password and, from people who have an authenticator, for a code. */
export function SignInForm({ returnTo, onEntered, onStep, error = null, links }: Props) {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [email, setEmail] = useState('');
  const goTo = (next: 'password' | 'code') => {
    setStep(next);
    onStep?.(next);
  };
  const submit = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => signIn(email, password),
    onSuccess: ({ status }) => (status === 'totp_required' ? goTo('code') : onEntered()),
  });
  if (step === 'code') return <CodeForm onVerified={onEntered} onBack={() => goTo('password')} />;
  return (
    <>
      {!submit.error && <Problem error={error} />}
      <form className="grid gap-4" onSubmit={(event) => submit.mutate(formText(event, 'email', 'password'))}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          defaultValue={email}
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
      <Providers returnTo={returnTo} />
      {links?.(email)}
    </>
  );
}
