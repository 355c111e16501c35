import { useLocation, useNavigate } from '@tanstack/react-router';
import { type Enrollment as Begun, removeTotp, setUpTotp, userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { Badge } from '../../ui/badge.tsx';
import { Form } from '../../ui/form.tsx';
import { Setting } from '../../ui/setting.tsx';
import { PasswordField } from '../login/password-fields.tsx';
import { Enrollment } from './enrollment.tsx';

export function TwoFactor({ enabled }: { enabled: boolean }) {
  // The history keeps it, so that someone who reloads the page can go on.
  const begun = useLocation({ select: ({ state }) => state.enrollment });
  const navigate = useNavigate();
  const keep = (enrollment?: Begun) =>
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
          <Enrollment
            uri={begun.uri}
            backupCodes={begun.backup_codes}
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
