import { useState } from 'react';
import { removeTotp, setUpTotp, userQuery } from '../../api/auth.ts';
import { useSave } from '../../api/use-save.ts';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Setting } from '../../ui/setting.tsx';
import { Enrollment } from './enrollment.tsx';

export function TwoFactor({ enabled }: { enabled: boolean }) {
  const [enrolling, setEnrolling] = useState(false);
  const change = useSave(
    async ({ password }: { password: string }) =>
      enabled ? void (await removeTotp(password)) : setUpTotp(password),
    [userQuery.queryKey],
    (enrollment) => enrollment && setEnrolling(true),
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
    >
      {(close) =>
        enrolling && change.data ? (
          <Enrollment
            uri={change.data.uri}
            backupCodes={change.data.backup_codes}
            onDone={() => {
              setEnrolling(false);
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
            <TextField
              label="Your password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          </Form>
        )
      }
    </Setting>
  );
}
