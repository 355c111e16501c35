import { useMutation } from '@tanstack/react-query';
import { confirmTotp, userQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

interface Props {
  uri: string;
  backupCodes: readonly string[];
  onDone: () => void;
}

/** Two-factor sign-in is on only once the first code has proved that the authenticator is set up. */
export function Enrollment({ uri, backupCodes, onDone }: Props) {
  const verify = useMutation({
    mutationFn: ({ code }: { code: string }) => confirmTotp(code),
    onSuccess: async () => {
      await queryClient.invalidateQueries(userQuery);
      onDone();
    },
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <ol className="grid list-inside list-decimal gap-6">
      <li>
        Scan this QR code with your authenticator, or enter the secret.
        <div className="mt-2 grid justify-items-start gap-2">
          <QrCode text={uri} label="The secret for your authenticator" />
          <code data-testid="totp-secret" className="break-all">
            {secret}
          </code>
        </div>
      </li>
      <li>
        Save these backup codes. Each one signs you in once if you lose your authenticator.
        <div className="mt-2 grid justify-items-start gap-2">
          <code className="grid grid-cols-2 gap-x-6 rounded-md bg-raised p-3">
            {backupCodes.map((code) => (
              <span key={code}>{code}</span>
            ))}
          </code>
          <CopyButton text={backupCodes.join('\n')} label="Copy codes" />
        </div>
      </li>
      <li>
        Enter the code that the authenticator shows now.
        <form
          className="mt-2 grid max-w-xs gap-4"
          onSubmit={(event) => verify.mutate(formText(event, 'code'))}
        >
          <TextField
            label="Six digits"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
          <Problem error={verify.error} />
          <Button type="submit" look="primary" className="justify-self-start" pending={verify.isPending}>
            Turn on
          </Button>
        </form>
      </li>
    </ol>
  );
}
