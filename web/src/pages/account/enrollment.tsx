import { confirmTotp, userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

interface Props {
  uri: string;
  backupCodes: readonly string[];
  onDone: () => void;
}

/** Two-factor sign-in is on only once the first code has proved that the authenticator is set up. */
export function Enrollment({ uri, backupCodes, onDone }: Props) {
  const verify = useSave(confirmTotp, [userQuery.queryKey], onDone);
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
        <Form names={['code']} action="Turn on" change={verify} className="mt-2 max-w-xs">
          <TextField
            label="Six digits"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
          />
        </Form>
      </li>
    </ol>
  );
}
