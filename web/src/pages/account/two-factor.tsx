import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { removeTotp, setUpTotp, userQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Setting } from '../../ui/setting.tsx';
import { Enrollment } from './enrollment.tsx';

export function TwoFactor({ enabled }: { enabled: boolean }) {
  const [enrolling, setEnrolling] = useState(false);
  const change = useMutation({
    mutationFn: async ({ password }: { password: string }) =>
      enabled ? void (await removeTotp(password)) : setUpTotp(password),
    onSuccess: (enrollment) => (enrollment ? setEnrolling(true) : queryClient.invalidateQueries(userQuery)),
  });
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
          <form
            className="grid max-w-md gap-4"
            onSubmit={(event) => change.mutate(formText(event, 'password'))}
          >
            <TextField
              label="Your password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
            <Problem error={change.error} />
            <Button
              type="submit"
              look={enabled ? 'danger' : 'primary'}
              className="justify-self-start"
              pending={change.isPending}
            >
              {enabled ? 'Turn off' : 'Continue'}
            </Button>
          </form>
        )
      }
    </Setting>
  );
}
