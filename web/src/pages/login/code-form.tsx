import { useState } from 'react';
import { signInWithCode } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

interface Props {
  onVerified: () => unknown;
  onBack: () => void;
}

/** The second step, for users with an authenticator. */
export function CodeForm({ onVerified, onBack }: Props) {
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
