import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { resetPassword } from '../../api/auth.ts';
import { formText } from '../../lib/form-text.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordField } from './new-password-field.tsx';

export default function Reset() {
  const token = useLinkToken();
  const reset = useMutation({
    mutationFn: ({ password }: { password: string }) => resetPassword(token ?? '', password),
  });
  return (
    <LoginFrame title="Choose a new password">
      {!token && (
        <Notice look="danger">This link is incomplete. Open the whole link, or ask for a new one.</Notice>
      )}
      {reset.isSuccess ? (
        <Notice look="success" role="status">
          Your password has been changed. Sign in with the new one.
        </Notice>
      ) : (
        <form className="grid gap-4" onSubmit={(event) => reset.mutate(formText(event, 'password'))}>
          <NewPasswordField label="New password" />
          <Problem error={reset.error} />
          <Button type="submit" look="primary" pending={reset.isPending} disabled={!token}>
            Change password
          </Button>
        </form>
      )}
      <p>
        <Link to="/login" className="text-accent underline">
          Sign in
        </Link>
      </p>
    </LoginFrame>
  );
}
