import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { changePassword } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NewPasswordField } from '../login/new-password-field.tsx';

export function Password({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: ({ current, password }: { current: string; password: string }) =>
      changePassword(current, password),
    onSuccess: () => form.current?.reset(),
  });
  return (
    <Card title="Password">
      <form
        ref={form}
        className="grid max-w-md gap-4"
        onSubmit={(event) => change.mutate(formText(event, 'current', 'password'))}
      >
        {/* For password managers, which need the user's name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField label="New password" />
        <Problem error={change.error} />
        {change.isSuccess && (
          <Notice look="success" role="status">
            Your password has been changed. Your other sessions have been signed out.
          </Notice>
        )}
        <Button type="submit" look="primary" className="justify-self-start" pending={change.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  );
}
