import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { forgotPassword } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LoginFrame } from './login-frame.tsx';

const outcomes = {
  sent: 'If an account has this address, a reset password link is on its way.',
  ask_administrator: 'This installation does not send email. Ask an administrator for a reset password link.',
};

export default function Forgot() {
  const typed = useLocation({ select: ({ state }) => state.email });
  const request = useMutation({
    mutationFn: ({ email }: { email: string }) => forgotPassword(email),
  });
  return (
    <LoginFrame title="Reset your password">
      {request.data ? (
        <Notice look={request.data.status === 'sent' ? 'success' : 'warning'} role="status">
          {outcomes[request.data.status]}
        </Notice>
      ) : (
        <form className="grid gap-4" onSubmit={(event) => request.mutate(formText(event, 'email'))}>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typed}
            required
            autoFocus
          />
          <Problem error={request.error} />
          <Button type="submit" look="primary" pending={request.isPending}>
            Send link
          </Button>
        </form>
      )}
      <p>
        <Link to="/login" className="text-accent underline">
          Back to sign-in
        </Link>
      </p>
    </LoginFrame>
  );
}
