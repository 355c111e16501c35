import { resetPassword } from '../../api/account.ts';
import { useSave } from '../../api/use-save.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LinkCode } from './link-code.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordField } from './password-fields.tsx';

export default function Reset() {
  const token = useLinkToken();
  const reset = useSave(({ password }: { password: string }) => resetPassword(token ?? '', password), []);
  return (
    <LoginFrame title="Choose a new password" back="Sign in">
      {!token ? (
        <LinkCode />
      ) : reset.isSuccess ? (
        <Notice look="success" role="status">
          Your password has been changed. Sign in with the new one.
        </Notice>
      ) : (
        <Form names={['password']} action="Change password" change={reset}>
          <NewPasswordField label="New password" />
        </Form>
      )}
    </LoginFrame>
  );
}
