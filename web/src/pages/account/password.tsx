import { useMutation } from '@tanstack/react-query';
import { changePassword } from '../../api/auth.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { NewPasswordField } from '../login/new-password-field.tsx';

export function Password({ email, onDone }: { email: string; onDone: () => void }) {
  const change = useMutation({
    mutationFn: ({ current, password }: { current: string; password: string }) =>
      changePassword(current, password),
    onSuccess: onDone,
  });
  return (
    <Form names={['current', 'password']} action="Change password" change={change}>
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
    </Form>
  );
}
