import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInWithCode } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';

interface Props {
  onVerified: () => unknown;
  onBack: () => void;
}

/** The second step, for users with an authenticator. */
export function CodeForm({ onVerified, onBack }: Props) {
  const [withBackup, setWithBackup] = useState(false);
  const verify = useMutation({
    mutationFn: ({ code }: { code: string }) => signInWithCode(withBackup ? { backup_code: code } : { code }),
    onSuccess: onVerified,
  });
  return (
    <>
      <form className="grid gap-4" onSubmit={(event) => verify.mutate(formText(event, 'code'))}>
        <TextField
          key={String(withBackup)}
          label={withBackup ? 'Backup code' : 'Six digits from your authenticator'}
          name="code"
          inputMode={withBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          autoFocus
        />
        <Problem error={verify.error} />
        <Button type="submit" look="primary" pending={verify.isPending}>
          Continue
        </Button>
      </form>
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
