import { useLocation, useNavigate } from '@tanstack/react-router';
import { confirmTotp, type Enrollment, removeTotp, setUpTotp } from '../../api/account.ts';
import { userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Setting } from '../../ui/setting.tsx';
import { PasswordField } from '../login/password-fields.tsx';

export function TwoFactor({ enabled }: { enabled: boolean }) {
  // The history keeps it, so that someone who reloads the page can go on.
  const begun = useLocation({ select: ({ state }) => state.enrollment });
  const navigate = useNavigate();
  const keep = (enrollment?: Enrollment) =>
    navigate({ to: '.', state: { enrollment }, replace: true, resetScroll: false });
  const change = useSave(
    async ({ password }: { password: string }) =>
      enabled ? void (await removeTotp(password)) : setUpTotp(password),
    [userQuery.queryKey],
    (enrollment) => enrollment && keep(enrollment),
  );
  return (
    <Setting
      name="Two-factor sign-in"
      value={
        enabled ? (
          <Badge look="success">On</Badge>
        ) : (
          'Off. When it is on, signing in also needs a code from an authenticator.'
        )
      }
      action={enabled ? 'Turn off' : 'Set up'}
      startsOpen={begun !== undefined}
    >
      {(close) =>
        begun ? (
          <Enroll
            begun={begun}
            onDone={async () => {
              await keep();
              close();
            }}
          />
        ) : (
          <Form
            names={['password']}
            action={enabled ? 'Turn off' : 'Continue'}
            look={enabled ? 'danger' : 'primary'}
            change={change}
            className="max-w-md"
          >
            <PasswordField label="Your password" name="password" />
          </Form>
        )
      }
    </Setting>
  );
}

/** Two-factor sign-in is on only once the first code has proved that the authenticator is set up. */
function Enroll({ begun, onDone }: { begun: Enrollment; onDone: () => void }) {
  const verify = useSave(confirmTotp, [userQuery.queryKey], onDone);
  const secret = new URL(begun.uri).searchParams.get('secret') ?? '';
  return (
    <ol className="grid list-inside list-decimal gap-6">
      <li>
        Scan this QR code with your authenticator, or enter the secret.
        <div className="mt-2 grid justify-items-start gap-2">
          <QrCode text={begun.uri} label="The secret for your authenticator" />
          <code data-testid="totp-secret" className="break-all">
            {secret}
          </code>
        </div>
      </li>
      <li>
        Save these backup codes. Each one signs you in once if you lose your authenticator.
        <div className="mt-2 grid justify-items-start gap-2">
          <code className="grid grid-cols-2 gap-x-6 rounded-md bg-raised p-3">
            {begun.backup_codes.map((code) => (
              <span key={code}>{code}</span>
            ))}
          </code>
          <CopyButton text={begun.backup_codes.join('\n')} label="Copy codes" />
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
