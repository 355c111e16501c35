import { useLocation } from '@tanstack/react-router';
import { forgotPassword } from '../../api/account.ts';
import { useSave } from '../../api/use-save.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LoginFrame } from './login-frame.tsx';

const outcomes = {
  sent: 'If an account has this address, a reset password link is on its way.',
  ask_administrator: 'This installation does not send email. Ask an administrator for a reset password link.',
};

export default function Forgot() {
  const typed = useLocation({ select: ({ state }) => state.email });
  const request = useSave(forgotPassword, []);
  return (
    <LoginFrame title="Reset your password" back="Back to sign-in">
      {request.data ? (
        <Notice look={request.data.status === 'sent' ? 'success' : 'warning'} role="status">
          {outcomes[request.data.status]}
        </Notice>
      ) : (
        <Form names={['email']} action="Send link" change={request}>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typed}
            required
            autoFocus
          />
        </Form>
      )}
    </LoginFrame>
  );
}
