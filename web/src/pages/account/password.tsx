import { useMutation } from '@tanstack/react-query';
import { changePassword } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { NewPasswordField } from '../login/new-password-field.tsx';

export function Password({ email, onDone }: { email: string; onDone: () => void }) {
  const change = useMutation({
    mutationFn: ({ current, password }: { current: string; password: string }) =>
      changePassword(current, password),
    onSuccess: onDone,
  });
  return (
    <form
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
      <Button type="submit" look="primary" className="justify-self-start" pending={change.isPending}>
        Change password
      </Button>
    </form>
  );
}
