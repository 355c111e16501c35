import { useRouter } from '@tanstack/react-router';
import { signUp } from '../../api/account.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSave } from '../../api/use-save.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordField } from './password-fields.tsx';

/** For installations where anyone may create an account. Elsewhere, the response says that they cannot. */
export default function SignUp() {
  const router = useRouter();
  const submit = useSave(signUp, [], async () => {
    queryClient.clear();
    await router.navigate({ to: '/organizations' });
  });
  return (
    <LoginFrame title="Create an account" back="Back to sign-in">
      <Form names={['email', 'name', 'password']} action="Create the account" change={submit}>
        <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required autoFocus />
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" />
      </Form>
    </LoginFrame>
  );
}
