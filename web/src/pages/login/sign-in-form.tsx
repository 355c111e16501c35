import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type ProviderId,
  signIn,
  signInOptionsQuery,
  signInWithCode,
  signInWithProvider,
} from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { useAddress } from '../../lib/use-address.ts';
import { usePasswords } from '../../lib/use-passwords.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { PasswordField } from './password-fields.tsx';

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
  // The command line prints such an address with a password for emergencies.
  const isEmergency = useAddress()[0].password !== undefined;
  const asksPassword = usePasswords() || isEmergency;
  const goTo = (next: 'password' | 'code') => {
    setStep(next);
    onStep?.(next);
  };
  const submit = useSave(signIn, [], ({ status }) =>
    status === 'totp_required' ? goTo('code') : onEntered(),
  );
  if (step === 'code') return <CodeForm onVerified={onEntered} onBack={() => goTo('password')} />;
  return (
    <>
      {!submit.error && <Problem error={error} />}
      {asksPassword && (
        <Form names={['email', 'password']} action="Sign in" change={submit}>
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
          <PasswordField label="Password" name="password" />
        </Form>
      )}
      <Providers returnTo={returnTo} />
      {links?.(email)}
    </>
  );
}

/** The second step, for users with an authenticator. */
function CodeForm({ onVerified, onBack }: { onVerified: () => unknown; onBack: () => void }) {
  const [withBackup, setWithBackup] = useState(false);
  const verify = useSave(
    ({ code }: { code: string }) => signInWithCode(withBackup ? { backup_code: code } : { code }),
    [],
    onVerified,
  );
  return (
    <>
      <Form names={['code']} action="Continue" change={verify}>
        <TextField
          key={String(withBackup)}
          label={withBackup ? 'Backup code' : 'Six digits from your authenticator'}
          name="code"
          inputMode={withBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          autoFocus
        />
      </Form>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" onClick={() => setWithBackup(!withBackup)}>
          {withBackup ? 'Use the authenticator' : 'Use a backup code'}
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
}

/** The configured ways to sign in beside the password. */
function Providers({ returnTo }: { returnTo: string }) {
  const { data: options } = useQuery(signInOptionsQuery);
  const begin = useSave(
    (provider: ProviderId) => signInWithProvider(provider, returnTo),
    [],
    ({ url }) => location.assign(url),
  );
  if (!options?.providers.length) return null;
  return (
    <div className="grid gap-2">
      {options.providers.map(({ id, name }) => (
        <Button key={id} pending={begin.isPending} onClick={() => begin.mutate(id as ProviderId)}>
          Continue with {name}
        </Button>
      ))}
      <Problem error={begin.error} />
    </div>
  );
}
