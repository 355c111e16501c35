import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { removeTotp, setUpTotp, userQuery } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Enrollment } from './enrollment.tsx';

export function TwoFactor({ enabled }: { enabled: boolean }) {
  const [enrolling, setEnrolling] = useState(false);
  const change = useMutation({
    mutationFn: async ({ password }: { password: string }) =>
      enabled ? void (await removeTotp(password)) : setUpTotp(password),
    onSuccess: (enrollment) => (enrollment ? setEnrolling(true) : queryClient.invalidateQueries(userQuery)),
  });
  return (
    <Card
      title="Two-factor sign-in"
      actions={<Badge look={enabled ? 'success' : 'plain'}>{enabled ? 'on' : 'off'}</Badge>}
    >
      {enrolling && change.data ? (
        <Enrollment
          uri={change.data.uri}
          backupCodes={change.data.backup_codes}
          onDone={() => setEnrolling(false)}
        />
      ) : (
        <form
          className="grid max-w-md gap-4"
          onSubmit={(event) => change.mutate(formText(event, 'password'))}
        >
          <p className="text-muted">
            {enabled
              ? 'Signing in requires your password and a code from your authenticator.'
              : 'When it is on, signing in also requires a code from an authenticator on your phone or in your password manager.'}
          </p>
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
            {enabled ? 'Turn off' : 'Set up'}
          </Button>
        </form>
      )}
    </Card>
  );
}
