import { confirmAlertTarget } from '../../api/alert-targets.ts';
import { useSave } from '../../api/use-save.ts';
import { useLinkToken } from '../../lib/link-token.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LinkCode } from './link-code.tsx';
import { LoginFrame } from './login-frame.tsx';

/** The target of the link that confirms an address for alerts. Opening it confirms nothing: mail scanners do that. */
export default function ConfirmAddress() {
  const token = useLinkToken();
  const confirm = useSave(() => confirmAlertTarget(token ?? ''), []);
  return (
    <LoginFrame title="Confirm your address">
      {!token ? (
        <LinkCode />
      ) : confirm.isSuccess ? (
        <Notice look="success" role="status">
          Your address is confirmed. Alerts will be mailed to it.
        </Notice>
      ) : (
        <>
          <p>If you want alerts about the quota that the email names, confirm your address.</p>
          <Problem error={confirm.error} />
          <Button look="primary" pending={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm
          </Button>
        </>
      )}
    </LoginFrame>
  );
}
