import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { signUp } from '../../api/auth.ts';
import { queryClient } from '../../api/query-client.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/** For installations where anyone may create an account. Elsewhere, the response says that they cannot. */
export default function SignUp() {
  const router = useRouter();
  const submit = useMutation({
    mutationFn: (account: Record<'email' | 'name' | 'password', string>) => signUp(account),
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/organizations' });
    },
  });
  return (
    <LoginFrame title="Create an account">
      <form
        className="grid gap-4"
        onSubmit={(event) => submit.mutate(formText(event, 'email', 'name', 'password'))}
      >
        <TextField label="Your name" name="name" autoComplete="name" maxLength={200} required autoFocus />
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" />
        <Problem error={submit.error} />
        <Button type="submit" look="primary" pending={submit.isPending}>
          Create the account
        </Button>
      </form>
      <p>
        <Link to="/login" className="text-accent underline">
          Back to sign-in
        </Link>
      </p>
    </LoginFrame>
  );
}
